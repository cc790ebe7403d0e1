import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from './digests.ts';
import { isSignedBy, parseSignature } from './parse-signature.ts';
import { signatureBase } from './rfc9421.ts';
import { signRequest, type UnsignedRequest } from './sign-request.ts';
import { SignatureError, type Dialect, type SignedRequest } from './signed-request.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherKeyPair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keyId = 'https://b.test/users/bob#main-key';
const now = new Date('2026-11-21T10:00:00Z');
const body = Buffer.from('{"type":"Like"}');
const dialects: Dialect[] = ['cavage', 'rfc9421'];

function signed(dialect: Dialect, changes: Partial<UnsignedRequest> = {}, key = privateKey): SignedRequest {
  const unsigned: UnsignedRequest = {
    method: 'POST',
    url: 'https://a.test/inbox',
    digest: sha256(body),
    contentType: 'application/activity+json',
    now,
    ...changes,
  };
  const { host, pathname, search } = new URL(unsigned.url);
  return {
    method: unsigned.method,
    url: `${pathname}${search}`,
    headers: { host, ...signRequest(dialect, unsigned, { keyId, privateKey: key }) },
    body: unsigned.method === 'POST' ? body : undefined,
    baseUrl: 'https://a.test',
    now,
  };
}

const get = (url: string): Partial<UnsignedRequest> => ({ method: 'GET', url });

function withoutBody(dialect: Dialect, url: string): SignedRequest {
  const request = signed(dialect, get(url));
  const unsigned: UnsignedRequest = { method: 'GET', url, now };
  return { ...request, headers: { host: new URL(url).host, ...signRequest(dialect, unsigned, { keyId, privateKey }) } };
}

function isValid(request: SignedRequest): boolean {
  return isSignedBy(parseSignature(request), publicKey);
}

function cavage(names: string[], values: Record<string, string>, extra = ''): Record<string, string> {
  const text = names.map((name) => `${name}: ${values[name]}`).join('\n');
  const signature = sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64');
  const headers = Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith('(')));
  return { ...headers, signature: `keyId="${keyId}",${extra}headers="${names.join(' ')}",signature="${signature}"` };
}

test.each(dialects)('a signed POST and GET are valid in %s', (dialect) => {
  expect(isValid(signed(dialect))).toBe(true);
  expect(isValid(withoutBody(dialect, 'https://a.test/users/alice?page=1'))).toBe(true);
  expect(parseSignature(signed(dialect)).keyId).toBe(keyId);
});

test.each(dialects)('another key, body, path, method or host is rejected in %s', (dialect) => {
  const request = signed(dialect);
  expect(isSignedBy(parseSignature(request), otherKeyPair.publicKey)).toBe(false);
  expect(() => parseSignature({ ...request, body: Buffer.from('{"type":"Block"}') })).toThrow(SignatureError);
  expect(isValid({ ...request, url: '/users/alice/inbox' })).toBe(false);
  expect(isValid({ ...request, method: 'PUT' })).toBe(false);
  expect(isValid({ ...request, baseUrl: 'https://c.test' })).toBe(false);
});

test.each(dialects)('a missing digest is rejected in %s', (dialect) => {
  const request = signed(dialect);
  const { digest: _, 'content-digest': __, ...headers } = request.headers;
  expect(() => parseSignature({ ...request, headers })).toThrow(/[Dd]igest/);
});

test('a digest by another algorithm only is rejected', () => {
  const request = signed('cavage');
  const headers = { ...request.headers, digest: `SHA-512=${sha256(body)}` };
  expect(() => parseSignature({ ...request, headers })).toThrow('no SHA-256 digest');
});

test('an unsigned digest is rejected', () => {
  const headers = cavage(['(request-target)', 'host', 'date'], {
    '(request-target)': 'post /inbox',
    host: 'a.test',
    date: now.toUTCString(),
  });
  const request = { ...signed('cavage'), headers: { ...headers, digest: `SHA-256=${sha256(body)}` } };
  expect(() => parseSignature(request)).toThrow('The Digest header must be signed');
});

test.each(dialects)('a request is valid for five minutes, and for up to an hour of clock skew, in %s', (dialect) => {
  const request = signed(dialect);
  const later = (seconds: number) => ({ ...request, now: new Date(now.getTime() + seconds * 1000) });
  expect(isValid(later(3895))).toBe(true);
  expect(() => parseSignature(later(3905))).toThrow('outside the acceptable time window');
  expect(isValid(later(-3595))).toBe(true);
  expect(() => parseSignature(later(-3605))).toThrow('in the future');
});

test('an expiry of at most twelve hours is respected', () => {
  const created = now.getTime() / 1000;
  const parts = ['(request-target)', '(created)', '(expires)', 'host', 'digest'];
  const values = {
    '(request-target)': 'post /inbox',
    '(created)': String(created),
    '(expires)': String(created + 86_400),
    host: 'a.test',
    digest: `SHA-256=${sha256(body)}`,
  };
  const headers = cavage(parts, values, `algorithm="hs2019",created=${created},expires=${created + 86_400},`);
  const request = { ...signed('cavage'), headers };
  const later = (hours: number) => ({ ...request, now: new Date(now.getTime() + hours * 3_600_000) });
  expect(isValid(request)).toBe(true);
  expect(isValid(later(12.9))).toBe(true);
  expect(() => parseSignature(later(13.1))).toThrow('outside the acceptable time window');
});

test('(created) requires hs2019, and replaces the Date header', () => {
  const created = String(now.getTime() / 1000);
  const parts = ['(request-target)', '(created)', 'host', 'digest'];
  const values = {
    '(request-target)': 'post /inbox',
    '(created)': created,
    host: 'a.test',
    digest: `SHA-256=${sha256(body)}`,
  };
  const make = (algorithm: string) => ({
    ...signed('cavage'),
    headers: cavage(parts, values, `${algorithm}created=${created},`),
  });
  expect(isValid(make('algorithm="hs2019",'))).toBe(true);
  expect(isValid(make(''))).toBe(true);
  expect(() => parseSignature(make('algorithm="rsa-sha256",'))).toThrow('hs2019');
  expect(() => parseSignature(make('algorithm="ed25519",'))).toThrow('Unsupported');
});

test('the query string may be signed or omitted', () => {
  const request = withoutBody('cavage', 'https://a.test/users/alice/outbox?page=true');
  expect(isValid(request)).toBe(true);
  const without = withoutBody('cavage', 'https://a.test/users/alice/outbox');
  expect(isValid({ ...without, url: '/users/alice/outbox?page=true' })).toBe(true);
  expect(isValid({ ...request, url: '/users/alice/outbox?page=false' })).toBe(false);
});

test('a signature must cover the required parts', () => {
  const make = (names: string[], method = 'GET') => {
    const values: Record<string, string> = {
      '(request-target)': `${method.toLowerCase()} /inbox`,
      host: 'a.test',
      date: now.toUTCString(),
      digest: `SHA-256=${sha256(body)}`,
    };
    const used = Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
    return { ...signed('cavage'), method, body: method === 'GET' ? undefined : body, headers: cavage(names, used) };
  };
  expect(() => parseSignature(make(['(request-target)', 'date']))).toThrow('Host');
  expect(() => parseSignature(make(['(request-target)', 'host']))).toThrow('Date');
  expect(() => parseSignature(make(['host', 'date']))).toThrow('(request-target)');
  expect(isValid(make(['host', 'date', 'digest'], 'POST'))).toBe(true);
});

test('a signature that cannot be parsed is a bad request', () => {
  const broken = [
    'nonsense',
    'keyId="a"',
    `keyId="a",keyId="b",signature="c"`,
    `keyId="${keyId}",headers="date date",signature="c"`,
    `keyId="${keyId}",signature="c", !`,
  ];
  for (const signature of broken) {
    const request = { ...signed('cavage'), headers: { ...signed('cavage').headers, signature } };
    expect(() => parseSignature(request)).toThrow(expect.objectContaining({ status: 400 }));
  }
  const message = signed('rfc9421');
  for (const input of [
    'x',
    'sig1=("@method";req);created=1',
    'sig1=("@method" "@method");created=1',
    'sig1=("@method',
  ]) {
    expect(() => parseSignature({ ...message, headers: { ...message.headers, 'signature-input': input } })).toThrow(
      expect.objectContaining({ status: 400 }),
    );
  }
});

test('a message signature must cover method, target and digest, and declare its creation time', () => {
  const request = signed('rfc9421');
  const input = request.headers['signature-input'] ?? '';
  const change = (from: string | RegExp, to: string) => ({
    ...request,
    headers: { ...request.headers, 'signature-input': input.replace(from, to) },
  });
  expect(() => parseSignature(change('"@method" ', ''))).toThrow('@method');
  expect(() => parseSignature(change('"@target-uri" ', ''))).toThrow('@target-uri');
  expect(() => parseSignature(change(' "content-digest"', ''))).toThrow('content-digest');
  expect(() => parseSignature(change(/;created=\d+/, ''))).toThrow('created');
  expect(() => parseSignature(change('rsa-v1_5-sha256', 'hmac-sha256'))).toThrow('Unsupported');
});

const ed25519 = generateKeyPairSync('ed25519');

const signedWithEd25519 = (): SignedRequest => signed('rfc9421', {}, ed25519.privateKey);

test('an Ed25519 key signs message signatures, for its own body and path only', () => {
  const request = signedWithEd25519();
  const isSigned = (changed: SignedRequest) => isSignedBy(parseSignature(changed), ed25519.publicKey);
  expect(request.headers['signature-input']).toContain(';alg="ed25519"');
  expect(isSigned(request)).toBe(true);
  expect(isSigned({ ...request, url: '/users/alice/inbox' })).toBe(false);
  expect(() => isSigned({ ...request, body: Buffer.from('{"type":"Block"}') })).toThrow('digest');
  expect(isSignedBy(parseSignature(request), generateKeyPairSync('ed25519').publicKey)).toBe(false);
});

test('the key decides about the algorithm: a signature that names another one does not match', () => {
  const withAlgorithm = (request: SignedRequest, to: string) => ({
    ...request,
    headers: {
      ...request.headers,
      'signature-input': (request.headers['signature-input'] ?? '').replace(/;alg="[^"]*"/, to),
    },
  });
  const rsa = signed('rfc9421');
  const ed = signedWithEd25519();
  expect(isSignedBy(parseSignature(rsa), ed25519.publicKey)).toBe(false);
  expect(isSignedBy(parseSignature(ed), publicKey)).toBe(false);
  expect(isSignedBy(parseSignature(withAlgorithm(rsa, ';alg="ed25519"')), publicKey)).toBe(false);
  expect(isSignedBy(parseSignature(withAlgorithm(ed, ';alg="rsa-v1_5-sha256"')), ed25519.publicKey)).toBe(false);
  expect(isSignedBy(parseSignature(signed('cavage')), ed25519.publicKey)).toBe(false);
  // Other types of keys are never used, whatever a signature names.
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  expect(isSignedBy(parseSignature(rsa), elliptic)).toBe(false);
});

test('a message signature that names no algorithm is verified by the type of the key', () => {
  const unsigned = { method: 'GET', url: '/users/alice', headers: {}, baseUrl: 'https://a.test' } as const;
  const components = ['@method', '@target-uri'];
  const text = `("@method" "@target-uri");created=${now.getTime() / 1000};keyid="${keyId}"`;
  const base = Buffer.from(signatureBase(unsigned, { components, text }));
  for (const [digest, pair] of [
    ['RSA-SHA256', { privateKey, publicKey }],
    [null, ed25519],
  ] as const) {
    const signature = sign(digest, base, pair.privateKey).toString('base64');
    const headers = { 'signature-input': `sig1=${text}`, signature: `sig1=:${signature}:` };
    const claim = parseSignature({ ...unsigned, headers, body: undefined, now });
    expect(isSignedBy(claim, pair.publicKey)).toBe(true);
  }
});

test('the signature base is that of the Ed25519 example of RFC 9421, B.2.6', () => {
  const key = createPublicKey(
    '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n-----END PUBLIC KEY-----',
  );
  const headers = {
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-length': '18',
  };
  const components = ['date', '@method', '@path', '@authority', 'content-type', 'content-length'];
  const list = components.map((name) => `"${name}"`).join(' ');
  const base = signatureBase(
    { method: 'POST', url: '/foo?param=Value&Pet=dog', headers, baseUrl: 'https://example.com' },
    { components, text: `(${list});created=1618884473;keyid="test-key-ed25519"` },
  );
  const signature = 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==';
  expect(verify(null, Buffer.from(base), key, Buffer.from(signature, 'base64'))).toBe(true);
});
