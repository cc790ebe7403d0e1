import { assertContentDigest } from './digests.ts';
import {
  algorithmNames,
  SignatureError,
  type KeyType,
  type ParsedSignature,
  type SignedRequest,
} from './signed-request.ts';
import { assertTimeWindow } from './time-window.ts';

interface SignatureInput {
  readonly label: string;
  readonly components: readonly string[];
  /** The text after `label=`, which is signed verbatim. */
  readonly text: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parses the first HTTP message signature (RFC 9421) and checks everything but the key. It must cover `@method`,
 * `@target-uri`, `created` and, with a body, `content-digest`. Throws a SignatureError.
 */
export function parseRfc9421Signature(
  request: SignedRequest,
  inputField: string,
  signatureField: string,
): ParsedSignature {
  const input = parseSignatureInput(inputField);
  const { components, parameters } = input;
  const keyType = parseAlgorithm(parameters.get('alg'));
  const needed = ['@method', '@target-uri', ...(request.body === undefined ? [] : ['content-digest'])];
  for (const name of needed) {
    if (!components.includes(name)) throw new SignatureError(`${name} must be signed`);
  }
  if (!parameters.has('created')) throw new SignatureError('created must be signed');
  const expires = parameters.get('expires');
  assertTimeWindow(request.now, Number(parameters.get('created')), expires === undefined ? undefined : Number(expires));
  if (request.body !== undefined) assertContentDigest(request.headers['content-digest'], request.body);
  const keyId = parameters.get('keyid');
  const signature = parseSignatureField(signatureField, input.label);
  if (!keyId) throw new SignatureError('The signature has no key id', 400);
  return { dialect: 'rfc9421', keyType, keyId, signingStrings: [signatureBase(request, input)], signature };
}

function parseAlgorithm(name: string | undefined): KeyType | undefined {
  switch (name) {
    case undefined:
      return undefined;
    case algorithmNames.rsa:
      return 'rsa';
    case algorithmNames.ed25519:
      return 'ed25519';
    default:
      throw new SignatureError(`Unsupported signature algorithm ${name}`);
  }
}

/** Returns the signature base (RFC 9421 section 2.5). */
export function signatureBase(
  request: Pick<SignedRequest, 'method' | 'url' | 'headers' | 'baseUrl'>,
  { components, text }: Pick<SignatureInput, 'components' | 'text'>,
): string {
  const lines = components.map((name) => {
    const value = componentValue(request, name);
    if (value === undefined) throw new SignatureError(`The signed part ${name} is missing`);
    return `"${name}": ${value}`;
  });
  return [...lines, `"@signature-params": ${text}`].join('\n');
}

function componentValue(
  { method, url, headers, baseUrl }: Pick<SignedRequest, 'method' | 'url' | 'headers' | 'baseUrl'>,
  name: string,
): string | undefined {
  const [path = '', query] = url.split(/\?(.*)/s);
  switch (name) {
    case '@method':
      return method.toUpperCase();
    case '@target-uri':
      return `${baseUrl}${url}`;
    case '@authority':
    case 'host':
      return new URL(baseUrl).host;
    case '@scheme':
      return new URL(baseUrl).protocol.slice(0, -1);
    case '@request-target':
      return url;
    case '@path':
      return path;
    case '@query':
      return `?${query ?? ''}`;
    default:
      return name.startsWith('@') ? undefined : headers[name]?.trim();
  }
}

const inputPattern =
  /^\s*([a-z*][a-z0-9_.*-]*)=(\(([^()]*)\)((?:\s*;\s*[a-z0-9_.*-]+(?:=(?:"(?:[^"\\]|\\.)*"|[^\s;,"]+))?)*))\s*(?:,|$)/;

function parseSignatureInput(field: string): SignatureInput {
  const match = inputPattern.exec(field);
  if (match === null) throw new SignatureError('The Signature-Input header cannot be parsed', 400);
  const [, label = '', text = '', list = '', rest = ''] = match;
  const components = list.split(' ').filter((item) => item !== '');
  const names = components.map((item) => /^"([a-z0-9@!#$%&'*+.^_`|~-]+)"$/.exec(item)?.[1]);
  // Component parameters (`;sf`, `;req`, …) would change the signature base. No known server sends them.
  if (names.includes(undefined) || new Set(names).size !== names.length)
    throw new SignatureError('The signed components cannot be parsed', 400);
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, bare] of rest.matchAll(
    /;\s*([a-z0-9_.*-]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+)))?/g,
  )) {
    if (parameters.has(name)) throw new SignatureError('The signature has a duplicate parameter', 400);
    parameters.set(name, quoted ?? bare ?? '');
  }
  return { label, components: names as string[], text, parameters };
}

function parseSignatureField(field: string, label: string): Buffer {
  for (const [, name, value] of field.matchAll(/(?:^|,)\s*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]+):/g)) {
    if (name === label) return Buffer.from(value ?? '', 'base64');
  }
  throw new SignatureError('The Signature header cannot be parsed', 400);
}
