import { assertContentDigest } from './digests.ts';
import {
  algorithmNames,
  SignatureError,
  type KeyType,
  type ParsedSignature,
  type SignedRequest,
  type SignedResponse,
} from './signed-request.ts';
import { assertTimeWindow } from './time-window.ts';

interface SignatureInput {
  readonly label: string;
  readonly components: readonly string[];
  /** The text after `label=`, which is signed verbatim. */
  readonly text: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The parts of a message that a signature base is made of. */
type SignedParts =
  | Pick<SignedRequest, 'method' | 'url' | 'headers' | 'baseUrl'>
  | Pick<SignedResponse, 'status' | 'headers'>;

/** A message whose signature is parsed. */
interface ParsedMessage {
  readonly parts: SignedParts;
  /** Undefined without a body. */
  readonly body: Buffer | undefined;
  readonly now: Date;
  /** Components that must be signed. */
  readonly needed: readonly string[];
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
  const needed = ['@method', '@target-uri', ...(request.body === undefined ? [] : ['content-digest'])];
  const { body, now } = request;
  const parsed = parseMessageSignature({ parts: request, body, now, needed }, inputField, signatureField);
  if (!parsed.keyId) throw new SignatureError('The signature has no key id', 400);
  return parsed;
}

/**
 * Parses the signature of a response and checks everything but the key, which the caller knows. It must cover `@status`,
 * `content-digest` and `created`. Throws a SignatureError.
 */
export function parseResponseSignature(response: SignedResponse): ParsedSignature {
  const { headers, body, now } = response;
  const { 'signature-input': inputField, signature: signatureField } = headers;
  if (inputField === undefined || signatureField === undefined) throw new SignatureError('The response is not signed');
  const needed = ['@status', 'content-digest'];
  return parseMessageSignature({ parts: response, body, now, needed }, inputField, signatureField);
}

function parseMessageSignature(
  { parts, body, now, needed }: ParsedMessage,
  inputField: string,
  signatureField: string,
): ParsedSignature {
  const input = parseSignatureInput(inputField);
  const { components, parameters } = input;
  const keyType = parseAlgorithm(parameters.get('alg'));
  for (const name of needed) {
    if (!components.includes(name)) throw new SignatureError(`${name} must be signed`);
  }
  if (!parameters.has('created')) throw new SignatureError('created must be signed');
  const expires = parameters.get('expires');
  assertTimeWindow(now, Number(parameters.get('created')), expires === undefined ? undefined : Number(expires));
  if (body !== undefined) assertContentDigest(parts.headers['content-digest'], body);
  const signature = parseSignatureField(signatureField, input.label);
  const keyId = parameters.get('keyid') ?? '';
  return { dialect: 'rfc9421', keyType, keyId, signingStrings: [signatureBase(parts, input)], signature };
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
  parts: SignedParts,
  { components, text }: Pick<SignatureInput, 'components' | 'text'>,
): string {
  const lines = components.map((name) => {
    const value = 'status' in parts ? responseComponent(parts, name) : requestComponent(parts, name);
    if (value === undefined) throw new SignatureError(`The signed part ${name} is missing`);
    return `"${name}": ${value}`;
  });
  return [...lines, `"@signature-params": ${text}`].join('\n');
}

function responseComponent(
  { status, headers }: Pick<SignedResponse, 'status' | 'headers'>,
  name: string,
): string | undefined {
  if (name === '@status') return String(status);
  return name.startsWith('@') ? undefined : headers[name]?.trim();
}

function requestComponent(
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
