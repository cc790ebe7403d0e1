import type { Readable } from 'node:stream';
import { weakEtag } from './etag.ts';

/** A response with headers, a status other than 200, or a body that is not JSON. */
export class HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** A value to be sent as JSON, or a JsonText; undefined with `text` or an empty body. */
  readonly json: unknown;
  /** A body that is sent unchanged, with the content type from `headers`; a stream is sent while it is read. */
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

/** JSON text of a `Value`, joined from cached fragments. */
export class JsonText<Value> {
  declare readonly value: Value;
  /** Joined, they are the text. */
  readonly fragments: readonly string[];
  #etag: string | undefined;

  constructor(json: string | readonly string[]) {
    this.fragments = typeof json === 'string' ? [json] : json;
  }

  get text(): string {
    return this.fragments.length === 1 ? (this.fragments[0] ?? '') : this.fragments.join('');
  }

  /** The entity tag of the text, which is computed once: cached responses are sent many times. */
  get etag(): string {
    return (this.#etag ??= weakEtag(this.body()));
  }

  /** Returns a copy of the value. */
  parse(): Value {
    return JSON.parse(this.text);
  }

  /**
   * Returns the text, or the UTF-8 of a long one: from some hundred kilobytes on, writing each fragment into a buffer takes
   * a third of the time of joining and encoding them.
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
 * Returns ASCII JSON, for fragments that are cached and joined. One character beyond Latin-1 would make the whole response
 * a string of two bytes per character, which costs ten times as much to join and send.
 */
export const asciiJson = (value: object): string => escapeNonAscii(JSON.stringify(value));

/** Escapes everything beyond ASCII in JSON text. */
export function escapeNonAscii(json: string): string {
  if (!/[^ -~]/.test(json)) return json;
  const escaped = json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return flattenString(escaped);
}

/**
 * Copies ASCII text into a flat string of one byte per character. Slices of wide strings stay wide, and concatenated
 * strings are joined again on each use.
 */
export const flattenString = (ascii: string): string => Buffer.from(ascii, 'latin1').toString('latin1');

/** Joins items into a JSON list. */
export function joinJsonList<Item>(items: readonly JsonText<Item>[]): JsonText<Item[]> {
  const pieces = ['['];
  for (const item of items) {
    if (pieces.length > 1) pieces.push(',');
    for (const piece of item.fragments) pieces.push(piece);
  }
  pieces.push(']');
  return new JsonText(pieces);
}

/** Redirects the client. */
export const redirect = (location: string, status = 302): HttpResponse =>
  new HttpResponse({ status, headers: { location } });

/** Returns an empty body with Mastodon's content type, HTML: masto.js rejects unknown types. */
export const emptyResponse = (status = 200, headers: Record<string, string> = {}): HttpResponse =>
  new HttpResponse({ status, text: '', headers: { 'content-type': 'text/html; charset=utf-8', ...headers } });
