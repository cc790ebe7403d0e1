import { expect, test } from 'vitest';
import { hashPassword, isPassword } from './passwords.ts';

test('a password is known again, another one is not, and no two hashes are alike', async () => {
  const [first, second] = await Promise.all([hashPassword('korrekt häst'), hashPassword('korrekt häst')]);
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(first).not.toBe(second);
  expect(await isPassword('korrekt häst', first)).toBe(true);
  expect(await isPassword('korrekt ha\u0308st', first)).toBe(true);
  expect(await isPassword('korrekt hast', first)).toBe(false);
});

test('where there is no user, no password is right', async () => {
  expect(await isPassword('', undefined)).toBe(false);
  expect(await isPassword('x', '')).toBe(false);
});
