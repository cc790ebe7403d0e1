import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

test('a password matches its hash, another one does not, and each hash differs', async () => {
  const [first, second] = await Promise.all([hashPassword('korrekt häst'), hashPassword('korrekt häst')]);
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(first).not.toBe(second);
  expect(await verifyPassword('korrekt häst', first)).toBe(true);
  expect(await verifyPassword('korrekt ha\u0308st', first)).toBe(true);
  expect(await verifyPassword('korrekt hast', first)).toBe(false);
});

test('without a user no password is correct', async () => {
  expect(await verifyPassword('', undefined)).toBe(false);
  expect(await verifyPassword('x', '')).toBe(false);
});
