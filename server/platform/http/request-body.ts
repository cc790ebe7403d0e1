import type { IncomingMessage } from 'node:http';
import type { TObject } from 'typebox';
import { parseMultipart } from './parse-multipart.ts';
import { nestParams, type Params } from './parse-params.ts';
import { badRequest, HttpError, payloadTooLarge } from './http-errors.ts';
import type { Uploads } from './uploads.ts';

/** Larger bodies must be multipart, whose files are not held in memory. */
const maxHeldBytes = 128 * 1024 ** 2;

/** The body of one request, which is read once, when it is first needed. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #limit: number;
  #bytes: Promise<Buffer> | undefined;

  /** `limit`: maximum bytes of the body, or of each file in a multipart body. */
  constructor(request: IncomingMessage, limit: number) {
    this.#request = request;
    this.#limit = limit;
  }

  /** Whether its content type is that of a urlencoded form. */
  get isForm(): boolean {
    return this.#contentType === 'application/x-www-form-urlencoded';
  }

  /** Whether it certainly has no parameters. */
  get isEmpty(): boolean {
    return hasNoBytes(this.#request) && !this.#contentType.startsWith('multipart/');
  }

  /** Returns the whole body. Throws 413 as soon as it is known to be too long. */
  bytes(): Promise<Buffer> {
    this.#bytes ??= readBytes(this.#request, Math.min(this.#limit, maxHeldBytes));
    return this.#bytes;
  }

  /** Returns its parameters. Files that `schema` declares are stored in `uploads`. */
  async params(schema: TObject, uploads: Uploads): Promise<Params> {
    if (this.#contentType !== 'multipart/form-data') return parseBody(this.#contentType, await this.bytes());
    return parseMultipart(this.#request, { schema, uploads, limit: this.#limit });
  }

  get #contentType(): string {
    return (this.#request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  }
}

/** A GET without a Content-Length has no body, even if it claims that one arrives in chunks. */
const hasNoBytes = ({ method, headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) === 0 && (method === 'GET' || headers['transfer-encoding'] === undefined);

/**
 * Reads the body of a GET only if it has a Content-Length: some clients send parameters there, although HTTP defines no
 * meaning for it.
 */
async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (hasNoBytes(request)) return Buffer.alloc(0);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw payloadTooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Destroying the request would close the connection, which the response needs.
    const received: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of received) {
      size += chunk.length;
      if (size > limit) throw payloadTooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof HttpError ? error : badRequest('http.bodyUnreadable');
  }
  return Buffer.concat(chunks, size);
}

/** Parses a body by its content type. An empty one has no parameters, whatever its type. */
function parseBody(contentType: string, body: Buffer): Params {
  if (body.length === 0) return {};
  if (contentType === 'application/json' || contentType.endsWith('+json')) return parseJsonBody(body);
  if (contentType === 'application/x-www-form-urlencoded')
    return nestParams(new URLSearchParams(body.toString('utf8')));
  // Some clients omit the type, or send JSON and forms as text.
  const text = body.toString('utf8').trim();
  return text.startsWith('{') ? parseJsonBody(body) : nestParams(new URLSearchParams(text));
}

const largeIntegerPattern = /\d{16}/;

/** Keeps integers too large for JavaScript as text: some clients send ids as numbers. */
function preserveLargeIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  const written = context?.source ?? '';
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(written) ? written : value;
}

function parseJsonBody(body: Buffer): Params {
  let value: unknown;
  try {
    const text = body.toString('utf8');
    value = largeIntegerPattern.test(text) ? JSON.parse(text, preserveLargeIntegers) : JSON.parse(text);
  } catch {
    throw badRequest('http.jsonUnreadable');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('http.bodyMustBeObject');
  }
  return nestBracketNames(value as Params);
}

/** Expands bracketed keys of JSON (`source[privacy]`): some clients send the names of form fields. */
function nestBracketNames(value: Params): Params {
  if (!Object.keys(value).some((key) => key.includes('['))) return value;
  return nestParams(
    Object.entries(value).flatMap(([key, item]): [string, unknown][] =>
      key.endsWith('[]') && Array.isArray(item) ? item.map((one: unknown) => [key, one]) : [[key, item]],
    ),
  );
}
