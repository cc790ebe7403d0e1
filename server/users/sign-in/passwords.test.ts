import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

/** Hashes a password in a process that is no test, and returns the hash and the error of `useCheapHashes` there. */
function hashOutsideOfTests(password: string): { hash: string; error: string } {
  const script = `
    const { hashPassword, useCheapHashes } = await import(process.argv[1]);
    let error = 'none';
    try { useCheapHashes(); } catch (thrown) { error = thrown.message; }
    console.log(JSON.stringify({ hash: await hashPassword(process.argv[2]), error }));`;
  const path = new URL('passwords.ts', import.meta.url).href;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, path, password], {
    env: { NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  return JSON.parse(output) as { hash: string; error: string };
}

test('a password matches its hash, another one does not, and each hash differs', async () => {
  const [first, second] = await Promise.all([hashPassword('korrekt häst'), hashPassword('korrekt häst')]);
  expect(first).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(first).not.toBe(second);
  expect(await verifyPassword('korrekt häst', first)).toBe(true);
  expect(await verifyPassword('korrekt ha\u0308st', first)).toBe(true);
  expect(await verifyPassword('korrekt hast', first)).toBe(false);
});

test('outside of tests hashes have their full cost, and cannot be made cheap', async () => {
  const { hash, error } = hashOutsideOfTests('korrekt häst');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(error).toBe('cheap password hashes are for tests only');
  expect(await verifyPassword('korrekt häst', hash)).toBe(true);
  expect(await verifyPassword('korrekt hast', hash)).toBe(false);
});

test('without a user no password is correct', async () => {
  expect(await verifyPassword('', undefined)).toBe(false);
  expect(await verifyPassword('x', '')).toBe(false);
});
