/** What of an incoming request a signature can speak about. */
export interface SignedRequest {
  readonly method: string;
  /** Path with query string, as sent. */
  readonly url: string;
  /** Lower-case names; repeated fields joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a request without a body. */
  readonly body: Buffer | undefined;
  /** Our public address without a slash at its end: signatures made for another host do not fit. */
  readonly baseUrl: string;
  readonly now: Date;
}

/** The ways of signing HTTP requests that the network knows. */
export type Dialect = 'cavage' | 'rfc9421';

/** What a request claims, once everything but the key has been checked. */
export interface ParsedSignature {
  readonly dialect: Dialect;
  readonly keyId: string;
  /** The texts that the signature may be over: with the query string, and without it. */
  readonly signingStrings: readonly string[];
  readonly signature: Buffer;
}

/** Why a signature is not believed. 400: cannot be read; 401: does not hold. */
export class SignatureError extends Error {
  override name = 'SignatureError';
  readonly status: 400 | 401;

  constructor(message: string, status: 400 | 401 = 401) {
    super(message);
    this.status = status;
  }
}

/** Header fields as one string each, lower-case names. */
export function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}
