import { assertDigest } from './digests.ts';
import { SignatureError, type ParsedSignature, type SignedRequest } from './signed-request.ts';
import { assertTimeWindow, parseHttpDate } from './time-window.ts';

interface CavageParameters {
  readonly keyId: string;
  readonly signature: string;
  readonly names: readonly string[];
  readonly created: string | undefined;
  readonly expires: string | undefined;
}

/**
 * Parses a `Signature` header of draft-cavage-http-signatures and checks everything but the key: algorithm, required
 * parts, time and digest. Always uses the local host, because a proxy may have changed the header.
 */
export function parseCavageSignature(request: SignedRequest, field: string): ParsedSignature {
  const parameters = parseParameters(field);
  assertSignedParts(request, parameters.names);
  const usesCreated = parameters.names.includes('(created)');
  const created = usesCreated
    ? Number(parameters.created)
    : request.headers['date'] === undefined
      ? undefined
      : parseHttpDate(request.headers['date']);
  assertTimeWindow(request.now, created, parameters.expires === undefined ? undefined : Number(parameters.expires));
  if (request.body !== undefined && parameters.names.includes('digest'))
    assertDigest(request.headers['digest'], request.body);
  const path = request.url.split('?')[0] ?? request.url;
  const texts = [signingText(request, parameters, request.url)];
  if (path !== request.url && parameters.names.includes('(request-target)'))
    texts.push(signingText(request, parameters, path));
  return {
    dialect: 'cavage',
    keyType: 'rsa',
    keyId: parameters.keyId,
    signingStrings: texts,
    signature: Buffer.from(parameters.signature, 'base64'),
  };
}

/** Checks the signed parts (reference/federation.tsv, "required signed parts"). */
function assertSignedParts({ method, body }: SignedRequest, names: readonly string[]): void {
  if (!names.includes('date') && !names.includes('(created)'))
    throw new SignatureError('The Date header or (created) must be signed');
  if (!names.includes('(request-target)') && !names.includes('digest')) {
    throw new SignatureError('(request-target) or the Digest header must be signed');
  }
  if (method === 'GET' && !names.includes('host')) throw new SignatureError('The Host header must be signed');
  if (body !== undefined && !names.includes('digest')) throw new SignatureError('The Digest header must be signed');
}

function signingText(request: SignedRequest, parameters: CavageParameters, target: string): string {
  const lines = parameters.names.map((name) => {
    const value = partValue(request, parameters, name, target);
    if (value === undefined) throw new SignatureError(`The signed header ${name} is missing`);
    return `${name}: ${value}`;
  });
  return lines.join('\n');
}

function partValue(
  request: SignedRequest,
  { created, expires }: CavageParameters,
  name: string,
  target: string,
): string | undefined {
  switch (name) {
    case '(request-target)':
      return `${request.method.toLowerCase()} ${target}`;
    case '(created)':
      return created;
    case '(expires)':
      return expires;
    case 'host':
      return localHost(request);
    default:
      return request.headers[name];
  }
}

function localHost({ baseUrl, headers }: SignedRequest): string {
  const expected = new URL(baseUrl).host;
  const sent = headers['host'];
  return sent?.toLowerCase() === expected ? sent : expected;
}

const parameterPattern = /\s*([A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|(\d+))\s*(,|$)/gy;

function parseParameters(field: string): CavageParameters {
  const found = new Map<string, string>();
  let end = 0;
  for (const match of field.matchAll(parameterPattern)) {
    const name = match[1] ?? '';
    if (found.has(name)) throw new SignatureError('The Signature header has a duplicate parameter', 400);
    found.set(name, match[2] ?? match[3] ?? '');
    end = match.index + match[0].length;
  }
  const keyId = found.get('keyId');
  const signature = found.get('signature');
  if (end !== field.length || !keyId || !signature)
    throw new SignatureError('The Signature header cannot be parsed', 400);
  const algorithm = (found.get('algorithm') ?? 'hs2019').toLowerCase();
  if (algorithm !== 'rsa-sha256' && algorithm !== 'hs2019')
    throw new SignatureError(`Unsupported signature algorithm ${algorithm}`);
  const names = (found.get('headers') ?? (algorithm === 'hs2019' ? '(created)' : 'date')).toLowerCase().split(' ');
  if (new Set(names).size !== names.length) throw new SignatureError('The Signature header lists a header twice', 400);
  if (algorithm !== 'hs2019' && (names.includes('(created)') || names.includes('(expires)'))) {
    throw new SignatureError('(created) and (expires) need the algorithm hs2019');
  }
  return { keyId, signature, names, created: found.get('created'), expires: found.get('expires') };
}
