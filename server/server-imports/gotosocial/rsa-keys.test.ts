import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseGoKey } from './rsa-keys.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
const { n, e, d, p, q } = privateKey.export({ format: 'jwk' });
const integer = (text = ''): bigint => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);
const publicPart = `"N":${integer(n)},"E":${integer(e)}`;

test('a key pair in the JSON of Go becomes PEM', () => {
  const json = `{${publicPart},"D":${integer(d)},"Primes":[${integer(p)},${integer(q)}],"Precomputed":{"Dp":1,"CRTValues":[]}}`;
  expect(parseGoKey(json)).toEqual({
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
});

test('a public key has no private one', () => {
  expect(parseGoKey(`{${publicPart}}`)).toEqual({
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }),
    privateKeyPem: null,
  });
});

test.each(['null', '{}', '[]', 'N', '{"N":0,"E":3}', '{"N":"text","E":3}', `{${publicPart},"D":3,"Primes":[]}`])(
  '%s is no key',
  (json) => {
    expect(parseGoKey(json)).toBeUndefined();
  },
);
