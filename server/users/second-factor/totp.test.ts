import { expect, test } from 'vitest';
import { base32, findTotpStep, newTotpSecret, totpCode, totpStep, totpUri } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

test('security 15: codes are those of RFC 6238 and RFC 4226', () => {
  expect(totpCode(secret, 1)).toBe('287082');
  expect(
    [59, 1_111_111_109, 1_234_567_890, 20_000_000_000].map((seconds) =>
      totpCode(secret, totpStep(new Date(seconds * 1000))),
    ),
  ).toEqual(['287082', '081804', '005924', '353130']);
});

test('a code is accepted one step early and one late', () => {
  const now = new Date('2026-05-05T10:00:10Z');
  const step = totpStep(now);
  const found = [-2, -1, 0, 1, 2].map((steps) => findTotpStep(secret, totpCode(secret, step + steps), now));
  expect(found).toEqual([undefined, step - 1, step, step + 1, undefined]);
});

test('secrets are written in base32 for the app', () => {
  expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(base32(newTotpSecret())).toMatch(/^[A-Z2-7]{32}$/);
  expect(totpUri(secret, { issuer: 'Bird & Co', account: 'a@b.test' })).toBe(
    'otpauth://totp/Bird%20%26%20Co:a%40b.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Bird%20%26%20Co',
  );
});
