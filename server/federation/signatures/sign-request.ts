import { sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { sha256 } from './digests.ts';
import { signatureBase } from './rfc9421.ts';
import { algorithmNames, digestNames, type Dialect, type KeyType } from './signed-request.ts';

/** A request to be signed. */
export interface UnsignedRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** SHA-256 of the body in base64; for POST requests. */
  readonly digest?: string;
  readonly contentType?: string;
  /** Further headers to send and sign, with lower-case names. */
  readonly extraHeaders?: Readonly<Record<string, string>>;
  readonly now: Date;
}

/** The private key of the sender, and the id of its public key. */
export interface Signer {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** The text to sign, and the headers for its signature. */
interface SigningDraft {
  readonly text: string;
  readonly headersWith: (signature: Buffer) => Record<string, string>;
}

const signAsync = promisify(sign);

/**
 * Returns the headers that sign a request: date, digest and signature. The HTTP client sets Host. An Ed25519 key signs in
 * the dialect `rfc9421` only.
 */
export function signRequest(dialect: Dialect, request: UnsignedRequest, signer: Signer): Record<string, string> {
  const { text, headersWith } = createDraft(dialect, request, signer);
  return headersWith(sign(digestNames[keyTypeOf(signer)], Buffer.from(text), signer.privateKey));
}

/**
 * Like `signRequest`, but signs in another thread: a post may have thousands of recipients. With an Ed25519 key that costs
 * more than the signature.
 */
export async function signRequestAsync(
  dialect: Dialect,
  request: UnsignedRequest,
  signer: Signer,
): Promise<Record<string, string>> {
  const { text, headersWith } = createDraft(dialect, request, signer);
  return headersWith(await signAsync(digestNames[keyTypeOf(signer)], Buffer.from(text), signer.privateKey));
}

const keyTypeOf = ({ privateKey }: Pick<Signer, 'privateKey'>): KeyType =>
  privateKey.asymmetricKeyType === 'ed25519' ? 'ed25519' : 'rsa';

function createDraft(dialect: Dialect, request: UnsignedRequest, signer: Signer): SigningDraft {
  return dialect === 'cavage' ? createCavageDraft(request, signer.keyId) : createRfc9421Draft(request, signer);
}

function createCavageDraft(
  { method, url, digest, contentType, extraHeaders = {}, now }: UnsignedRequest,
  keyId: string,
): SigningDraft {
  const { host, pathname, search } = new URL(url);
  const headers: Record<string, string> = { date: now.toUTCString() };
  if (digest !== undefined) headers['digest'] = `SHA-256=${digest}`;
  if (contentType !== undefined) headers['content-type'] = contentType;
  Object.assign(headers, extraHeaders);
  let text = `(request-target): ${method.toLowerCase()} ${pathname}${search}\nhost: ${host}`;
  let names = '(request-target) host';
  for (const [name, value] of Object.entries(headers)) {
    text += `\n${name}: ${value}`;
    names += ` ${name}`;
  }
  const parameters = `keyId="${keyId}",algorithm="rsa-sha256",headers="${names}"`;
  return {
    text,
    headersWith: (signature) => ({
      ...headers,
      signature: `${parameters},signature="${signature.toString('base64')}"`,
    }),
  };
}

function createRfc9421Draft(
  { method, url, digest, contentType, extraHeaders = {}, now }: UnsignedRequest,
  signer: Signer,
): SigningDraft {
  const { origin, pathname, search } = new URL(url);
  const headers: Record<string, string> = { date: now.toUTCString(), ...extraHeaders };
  if (contentType !== undefined) headers['content-type'] = contentType;
  if (digest !== undefined) headers['content-digest'] = `sha-256=:${digest}:`;
  const components = [
    '@method',
    '@target-uri',
    ...(digest === undefined ? [] : ['content-digest']),
    ...Object.keys(extraHeaders),
  ];
  const text = signatureParameters(components, signer, now);
  const base = signatureBase({ method, url: `${pathname}${search}`, headers, baseUrl: origin }, { components, text });
  return {
    text: base,
    headersWith: (signature) => ({
      ...headers,
      'signature-input': `sig1=${text}`,
      signature: `sig1=:${signature.toString('base64')}:`,
    }),
  };
}

/** Returns the components that are signed with the parameters of the signature. */
function signatureParameters(components: readonly string[], signer: Signer, now: Date): string {
  const list = components.map((name) => `"${name}"`).join(' ');
  const created = Math.floor(now.getTime() / 1000);
  return `(${list});created=${created};keyid="${signer.keyId}";alg="${algorithmNames[keyTypeOf(signer)]}"`;
}

/** Returns the headers that sign a response (RFC 9421), with those of its digest. */
export function signResponse(
  { status, body, now }: { readonly status: number; readonly body: string; readonly now: Date },
  signer: Signer,
): Record<string, string> {
  const headers = { 'content-digest': `sha-256=:${sha256(body)}:` };
  const components = ['@status', 'content-digest'];
  const text = signatureParameters(components, signer, now);
  const base = signatureBase({ status, headers }, { components, text });
  const signature = sign(digestNames[keyTypeOf(signer)], Buffer.from(base), signer.privateKey);
  return { ...headers, 'signature-input': `sig1=${text}`, signature: `sig1=:${signature.toString('base64')}:` };
}
