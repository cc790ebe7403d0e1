import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeMultibase, encodeMultibase } from './base58.ts';
import { encodeMultikey, parseMultikey } from './multikey.ts';

test('base58btc has the values of its specification', () => {
  const vectors = [
    [Buffer.from('Hello World!'), '2NEpo7TZRRrLZSi2U'],
    [
      Buffer.from('The quick brown fox jumps over the lazy dog.'),
      'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
    ],
    [Buffer.from('0000287fb4cd', 'hex'), '11233QC4'],
    [Buffer.alloc(0), ''],
    [Buffer.alloc(3), '111'],
  ] as const;
  for (const [bytes, text] of vectors) {
    expect(encodeMultibase(bytes)).toBe(`z${text}`);
    expect(decodeMultibase(`z${text}`)).toEqual(bytes);
  }
});

test('whatever is encoded in base58btc is decoded to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(decodeMultibase(encodeMultibase(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
    }),
  );
});

test('other encodings, characters and lengths are not decoded', () => {
  for (const text of ['', 'u3q2+7w', '2NEpo7TZRRrLZSi2U', 'z0OIl', 'zé', `z${'1'.repeat(128)}`, 7, null, ['z1']])
    expect(decodeMultibase(text)).toBeUndefined();
});

test('the keys of the test vectors of FEP-521a and FEP-8b32 belong together', () => {
  const secret = decodeMultibase('z3u2en7t5LR2WtQH5PfFqMqwVHBeXouLzo6haApm8XHqvjxq');
  const multikey = 'z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2';
  expect(secret?.subarray(0, 2).toString('hex')).toBe('8026');
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    secret?.subarray(2) ?? Buffer.of(),
  ]);
  const publicKey = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  expect(encodeMultikey(pem)).toBe(multikey);
  expect(parseMultikey(multikey)).toBe(pem);
});

test('a key of another type or length is not an Ed25519 key', () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const bytes = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const withPrefix = (...prefix: number[]) => encodeMultibase(Buffer.concat([Buffer.from(prefix), bytes]));
  expect(parseMultikey(withPrefix(0xed, 0x01))).toBe(publicKey.export({ type: 'spki', format: 'pem' }));
  const x25519 = withPrefix(0xec, 0x01);
  const short = encodeMultibase(Buffer.concat([Buffer.from([0xed, 0x01]), bytes.subarray(1)]));
  const long = withPrefix(0xed, 0x01, 0x00);
  for (const text of [x25519, short, long, withPrefix(0xed), withPrefix(), 'z', 'z1'.repeat(60), undefined, {}])
    expect(parseMultikey(text)).toBeUndefined();
});
