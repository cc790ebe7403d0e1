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

/** The parts of a response that a signature can cover (RFC 9421). */
export interface SignedResponse {
  readonly status: number;
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly now: Date;
}

/** Supported signature schemes. */
export type Dialect = 'cavage' | 'rfc9421';

/** The type of a key, which implies the algorithm: RSA PKCS#1 v1.5 with SHA-256, or Ed25519. */
export type KeyType = 'rsa' | 'ed25519';

/** The names of the algorithms in RFC 9421, section 3.3. */
export const algorithmNames = { rsa: 'rsa-v1_5-sha256', ed25519: 'ed25519' } as const;

/** The digest that is signed with a type of key. Ed25519 signs the text itself. */
export const digestNames = { rsa: 'RSA-SHA256', ed25519: null } as const;

/** A parsed signature that is valid except for the key. */
export interface ParsedSignature {
  readonly dialect: Dialect;
  /** Undefined if the signature does not say, so that the key decides. */
  readonly keyType: KeyType | undefined;
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
