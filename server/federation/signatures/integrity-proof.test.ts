import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodeMultibase } from '../documents/base58.ts';
import { parseMultikey } from '../documents/multikey.ts';
import type { Json } from '../documents/values.ts';
import { createIntegrityProof, isProvenBy, parseIntegrityProof } from './integrity-proof.ts';

// The test vector of FEP-8b32.
const keyId = 'https://server.example/users/alice#ed25519-key';
const now = new Date('2023-02-24T23:36:38Z');
const document: Json = {
  '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/data-integrity/v2'],
  id: 'https://server.example/activities/1',
  type: 'Create',
  actor: 'https://server.example/users/alice',
  object: {
    id: 'https://server.example/objects/1',
    type: 'Note',
    attributedTo: 'https://server.example/users/alice',
    content: 'Hello world',
    location: { type: 'Place', longitude: -71.184902, latitude: 25.273962 },
  },
};
const secret = decodeMultibase('z3u2en7t5LR2WtQH5PfFqMqwVHBeXouLzo6haApm8XHqvjxq')?.subarray(2) ?? Buffer.of();
const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]);
const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
const publicKey = createPublicKey(parseMultikey('z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2') ?? '');
const proof = {
  '@context': document['@context'],
  type: 'DataIntegrityProof',
  cryptosuite: 'eddsa-jcs-2022',
  verificationMethod: keyId,
  proofPurpose: 'assertionMethod',
  proofValue: 'z42ffGu6AUKPCFcFPiabmUvnGLPJzC7e4DGWC52NUasSSH37UMa9c58tdgVszUcZfytxa4fQ5TYHaJENCxUDe9SdL',
  created: '2023-02-24T23:36:38Z',
};

function isValid(signed: Json, { key = publicKey, at = now }: { key?: KeyObject; at?: Date } = {}): boolean {
  const parsed = parseIntegrityProof(signed, at);
  return parsed !== undefined && isProvenBy(parsed, key);
}

test('the test vector of FEP-8b32 is made and verified', () => {
  expect(createIntegrityProof(document, { keyId, privateKey }, now)).toEqual(proof);
  expect(isValid({ ...document, proof })).toBe(true);
  expect(isValid({ proof: [proof], ...document, signature: { type: 'RsaSignature2017' } })).toBe(true);
});

test('an altered document, another key or another type of key is not proven', () => {
  expect(isValid({ ...document, proof, to: ['https://evil.test/'] })).toBe(false);
  expect(isValid({ ...document, proof, object: { ...(document['object'] as Json), content: 'Hello' } })).toBe(false);
  expect(isValid({ ...document, proof }, { key: generateKeyPairSync('ed25519').publicKey })).toBe(false);
  expect(isValid({ ...document, proof }, { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey })).toBe(
    false,
  );
});

test('a context that is added later ends the proof, because it could change what the document says', () => {
  const contexts = [...(document['@context'] as string[]), { content: 'https://evil.test/ns#content' }];
  expect(isValid({ ...document, '@context': contexts, proof })).toBe(false);
  expect(isValid({ ...document, '@context': contexts, proof: { ...proof, '@context': contexts } })).toBe(false);
});

test('two proofs, or a proof that is no object, count as none', () => {
  for (const value of [[proof, proof], [proof, {}], [], null, 'proof', [[proof]], undefined])
    expect(parseIntegrityProof({ ...document, proof: value }, now)).toBeUndefined();
});

test('a proof of another kind, purpose or form is not read', () => {
  const changes: Json[] = [
    { type: 'Ed25519Signature2020' },
    { cryptosuite: 'eddsa-rdfc-2022' },
    { proofPurpose: 'authentication' },
    { verificationMethod: 'did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2' },
    { verificationMethod: [keyId] },
    { proofValue: `u${Buffer.alloc(64).toString('base64url')}` },
    { proofValue: proof.proofValue.slice(0, 40) },
    { proofValue: `z${'2'.repeat(1_000_000)}` },
    { proofValue: undefined },
    { created: undefined },
    { created: 'yesterday' },
    { expires: 'never' },
  ];
  for (const change of changes)
    expect(parseIntegrityProof({ ...document, proof: { ...proof, ...change } }, now)).toBeUndefined();
});

test('a proof holds as long as a signature of a request, and never beyond its expiry', () => {
  const after = (seconds: number) => ({ at: new Date(now.getTime() + seconds * 1000) });
  const signed = { ...document, proof };
  expect(isValid(signed, after(3800))).toBe(true);
  expect(isValid(signed, after(4000))).toBe(false);
  expect(isValid(signed, after(-4000))).toBe(false);
  const expiring = { ...document, proof: { ...proof, expires: '2023-02-24T23:40:00Z' } };
  expect(parseIntegrityProof(expiring, after(60).at)).toBeDefined();
  expect(parseIntegrityProof(expiring, after(300).at)).toBeUndefined();
});
