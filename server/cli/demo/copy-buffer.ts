import type pg from 'pg';

/** The part of pg's connection that a COPY needs and its types leave out. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Rows on their way into a table, in the text form of COPY. */
export class CopyBuffer {
  readonly #statement: string;
  #lines: string[] = [];

  constructor(table: string, columns: readonly string[]) {
    this.#statement = `copy ${table} (${columns.join(', ')}) from stdin`;
  }

  /** Adds a row: values in the order of the columns, texts escaped by `copyText`, between tabs. */
  add(line: string): void {
    this.#lines.push(line);
  }

  /** Sends the rows gathered so far. */
  async flush(client: pg.ClientBase): Promise<void> {
    if (this.#lines.length === 0) return;
    const data = Buffer.from(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
    await new Promise<void>((resolve, reject) => {
      client.query(new Copy(this.#statement, data, (error) => (error === undefined ? resolve() : reject(error))));
    });
  }
}

/** How NULL stands in a row. */
export const copyNull = String.raw`\N`;

/** A text as it stands in a row. */
export function escapeCopyText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}

/** One COPY as pg's client runs it. */
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
    // The server ends a failed COPY by itself; what follows is its readiness for the next query.
    this.#done(error);
  }

  handleReadyForQuery(): void {
    if (this.#error === undefined) this.#done();
  }
}
