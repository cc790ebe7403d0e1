import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';

test('outside of tests every key pair is generated', () => {
  const script = `
    const { generateRsaKeyPair, useRsaKeyPairs } = await import(process.argv[1]);
    let error = 'none';
    try { useRsaKeyPairs(() => ({})); } catch (thrown) { error = thrown.message; }
    const pairs = [await generateRsaKeyPair(), await generateRsaKeyPair()];
    const publicKeys = pairs.map(({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' }));
    console.log(JSON.stringify({ publicKeys, error }));`;
  const path = new URL('rsa-key-pair.ts', import.meta.url).href;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, path], {
    env: { NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  const { publicKeys, error } = JSON.parse(output) as { publicKeys: string[]; error: string };
  expect(error).toBe('key pairs that are not generated are for tests only');
  expect(new Set(publicKeys).size).toBe(2);
  for (const key of publicKeys) expect(createPublicKey(key).asymmetricKeyDetails?.modulusLength).toBe(2048);
});
