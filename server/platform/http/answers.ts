/** An answer that is more than a JSON value with status 200: another status, headers, text, HTML, a file. */
export class Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** A value to be sent as JSON, or a JsonText; undefined with `text` or an empty body. */
  readonly json: unknown;
  /** A body that is sent as it is, with the content type from `headers`. */
  readonly text: string | Buffer | undefined;

  constructor(parts: {
    status?: number;
    headers?: Record<string, string | readonly string[]>;
    json?: unknown;
    text?: string | Buffer;
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

/** A JSON list joined from items that are text already. */
export function jsonList<Item>(items: readonly JsonText<Item>[]): JsonText<Item[]> {
  return new JsonText(`[${items.map((item) => item.text).join(',')}]`);
}

export const redirect = (location: string, status = 302): Answer => new Answer({ status, headers: { location } });

export const empty = (status = 200): Answer => new Answer({ status });
