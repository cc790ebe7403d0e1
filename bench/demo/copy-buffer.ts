import type pg from 'pg';

/** The part of pg's connection that COPY needs and that its types omit. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Collects rows for a table in the text format of COPY. */
export class CopyBuffer {
  readonly #statement: string;
  #lines: string[] = [];

  constructor(table: string, columns: readonly string[]) {
    this.#statement = `copy ${table} (${columns.join(', ')}) from stdin`;
  }

  /** Adds a row: tab-separated values in the order of the columns, texts escaped by `escapeCopyText`. */
  add(line: string): void {
    this.#lines.push(line);
  }

  /** Sends the collected rows. */
  async flush(client: pg.ClientBase): Promise<void> {
    if (this.#lines.length === 0) return;
    const data = Buffer.from(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
    await new Promise<void>((resolve, reject) => {
      client.query(new Copy(this.#statement, data, (error) => (error === undefined ? resolve() : reject(error))));
    });
  }
}

export const copyNull = String.raw`\N`;

export function escapeCopyText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}

/** A COPY in the form that pg's client can queue. */
class Copy {
  readonly #statement: string;
  readonly #data: Buffer;
  readonly #done: (error?: Error) => void;
  #error: Error | undefined;

  constructor(statement: string, data: Buffer, done: (error?: Error) => void) {
    this.#statement = statement;
    this.#data = data;
    this.#done = done;
  }

  submit(connection: pg.Connection): void {
    (connection as unknown as CopyConnection).query(this.#statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#data);
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#error = error;
    // PostgreSQL ends a failed COPY by itself; only ReadyForQuery follows.
    this.#done(error);
  }

  handleReadyForQuery(): void {
    if (this.#error === undefined) this.#done();
  }
}
