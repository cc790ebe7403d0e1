import { expect } from 'vitest';
import { totpCode, totpStep } from '../server/users/second-factor/totp.ts';
import type { Browser } from './browser.ts';
import type { TestServer } from './server.ts';

export const password = 'correct horse battery';

/** Returns the code that an authenticator app shows for a secret in base32, some steps of 30 seconds from now. */
export function appCode({ clock }: TestServer, secret: string, steps = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return totpCode(Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))), totpStep(clock.now()) + steps);
}

/** Sets up an authenticator app in a signed-in browser. Returns its secret in base32 and the recovery codes. */
export async function setUpTotp(
  server: TestServer,
  browser: Browser,
): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  await browser.open('/settings/two_factor');
  await browser.submit('/settings/two_factor/totp', { current_password: password });
  expect(browser.path).toBe('/settings/two_factor/totp');
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(browser.text)?.[1] ?? '').replaceAll(' ', '');
  expect(browser.text).toContain(`secret=${secret}&amp;`);
  await browser.submit('/settings/two_factor/totp/confirm', { code: appCode(server, secret) });
  expect(browser.status).toBe(200);
  return { secret, recoveryCodes: [...browser.text.matchAll(/<li><code>([^<]+)</g)].map(([, code = '']) => code) };
}
