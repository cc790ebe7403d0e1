import type { Readable } from 'node:stream';

/** An answer that is more than a JSON value with status 200: another status, headers, text, HTML, a file. */
export class HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** A value to be sent as JSON, or a JsonText; undefined with `text` or an empty body. */
  readonly json: unknown;
  /** A body that is sent as it is, with the content type from `headers`; a stream is sent while it is read. */
  readonly text: string | Buffer | Readable | undefined;

  constructor(parts: {
    status?: number;
    headers?: Record<string, string | readonly string[]>;
    json?: unknown;
    text?: string | Buffer | Readable;
  }) {
    this.status = parts.status ?? 200;
    this.headers = parts.headers ?? {};
    this.json = parts.json;
    this.text = parts.text;
  }
}

/** JSON that is already text, joined from cached pieces, and stands for a `Value`. */
export class JsonText<Value> {
  declare readonly value: Value;
  /** What makes the text when joined. */
  readonly fragments: readonly string[];

  constructor(json: string | readonly string[]) {
    this.fragments = typeof json === 'string' ? [json] : json;
  }

  get text(): string {
    return this.fragments.length === 1 ? (this.fragments[0] ?? '') : this.fragments.join('');
  }

  /**
   * What is sent: the text, or the UTF-8 of a long one. Each piece of that is written to where it belongs: to join them
   * and encode the whole takes three times as long from some hundred kilobytes on, and less below.
   */
  body(): string | Buffer {
    const length = this.fragments.reduce((sum, piece) => sum + piece.length, 0);
    return length < minBufferedLength ? this.text : encodeFragments(this.fragments);
  }
}

const minBufferedLength = 200_000;

function encodeFragments(pieces: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at);
  return bytes;
}

/**
 * JSON with everything beyond ASCII escaped, for pieces that are kept and joined. One letter beyond Latin-1 in a piece
 * would make the whole answer a string of two bytes a character, which costs ten times as much to join and to send.
 */
export const asciiJson = (value: object): string => escapeNonAscii(JSON.stringify(value));

/** Escapes everything beyond ASCII in JSON text. */
export function escapeNonAscii(json: string): string {
  if (!/[^ -~]/.test(json)) return json;
  const escaped = json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return flattenString(escaped);
}

/**
 * A copy of an ASCII text in one piece and a byte a character: what was cut from wide text is wide still, and what was
 * joined is joined again each time it is used.
 */
export const flattenString = (ascii: string): string => Buffer.from(ascii, 'latin1').toString('latin1');

/** A JSON list of items that are text already. */
export function joinJsonList<Item>(items: readonly JsonText<Item>[]): JsonText<Item[]> {
  const pieces = ['['];
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(',');
    pieces.push(...item.fragments);
  }
  pieces.push(']');
  return new JsonText(pieces);
}

/** Sends the client to another address. */
export const redirect = (location: string, status = 302): HttpResponse =>
  new HttpResponse({ status, headers: { location } });

/** An empty body, called HTML as Mastodon calls it: masto.js reads only answers of a type that it knows. */
export const emptyResponse = (status = 200): HttpResponse =>
  new HttpResponse({ status, text: '', headers: { 'content-type': 'text/html; charset=utf-8' } });
