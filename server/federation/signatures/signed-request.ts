/** The parts of an incoming request that a signature can cover. */
export interface SignedRequest {
  readonly method: string;
  /** Path with query string. */
  readonly url: string;
  /** Lower-case names; repeated headers are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined without a body. */
  readonly body: Buffer | undefined;
  /** Public URL of this server without a trailing slash. Signatures for other hosts do not match. */
  readonly baseUrl: string;
  readonly now: Date;
}

/** Supported signature schemes. */
export type Dialect = 'cavage' | 'rfc9421';

/** A parsed signature that is valid except for the key. */
export interface ParsedSignature {
  readonly dialect: Dialect;
  readonly keyId: string;
  /** The texts that may be signed: with and without the query string. */
  readonly signingStrings: readonly string[];
  readonly signature: Buffer;
}

/** A signature is invalid (401) or cannot be parsed (400). */
export class SignatureError extends Error {
  override name = 'SignatureError';
  readonly status: 400 | 401;

  constructor(message: string, status: 400 | 401 = 401) {
    super(message);
    this.status = status;
  }
}

/** Joins repeated headers, with lower-case names. */
export function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}
