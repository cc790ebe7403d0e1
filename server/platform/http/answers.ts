import type { Readable } from 'node:stream';

/** An answer that is more than a JSON value with status 200: another status, headers, text, HTML, a file. */
export class Answer {
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

/** JSON that is already text (joined from cached pieces) and stands for a `Value`. */
export class JsonText<Value> {
  declare readonly value: Value;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * JSON with everything beyond ASCII escaped, for pieces that are kept and joined. One letter beyond Latin-1 in a piece
 * would make the whole answer a string of two bytes a character, which costs ten times as much to join and to send.
 */
export function asciiJson(value: object): string {
  const json = JSON.stringify(value);
  if (!/[^ -~]/.test(json)) return json;
  const escaped = json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return inOnePiece(escaped);
}

/**
 * A copy of an ASCII text in one piece and a byte a character: what was cut from wide text is wide still, and what was
 * joined is joined again each time it is used.
 */
export const inOnePiece = (ascii: string): string => Buffer.from(ascii, 'latin1').toString('latin1');

/** A JSON list joined from items that are text already. */
export function jsonList<Item>(items: readonly JsonText<Item>[]): JsonText<Item[]> {
  return new JsonText(`[${items.map((item) => item.text).join(',')}]`);
}

export const redirect = (location: string, status = 302): Answer => new Answer({ status, headers: { location } });

export const empty = (status = 200): Answer => new Answer({ status });
