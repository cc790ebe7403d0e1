import { sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { takeRsaKeyPair } from '../rsa-key-pairs.ts';

test('RSA key pairs of tests are different, have 2048 bits and verify what they signed', () => {
  const pairs = Array.from({ length: 8 }, takeRsaKeyPair);
  const data = Buffer.from('data');
  for (const { privateKey, publicKey } of pairs) {
    expect(publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 2_048, publicExponent: 65_537n });
    const signature = sign('sha256', data, privateKey);
    expect(pairs.filter((other) => verify('sha256', data, other.publicKey, signature))).toEqual([
      expect.objectContaining({ publicKey }),
    ]);
  }
});
