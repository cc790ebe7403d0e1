import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import {
  DatabaseDescription,
  Manifest,
  parseDocument,
  Summary,
  type DatabaseDescription as Description,
} from '../archive/documents.ts';
import { entryNames, rowsBytes } from '../archive/entries.ts';
import { readArchive, readText, type ArchiveEntry, type ReadOptions } from '../archive/read-archive.ts';
import { damaged } from '../backup-error.ts';

const decompress = promisify(zstdDecompress);

/** Receives the content of a backup, in this order. Media may also come after the tables. */
export interface BackupReceiver {
  manifest?(manifest: Manifest): Promise<void> | void;
  settings?(text: string): Promise<void> | void;
  secret?(fileName: string, content: Buffer): Promise<void> | void;
  /** Must read the content. */
  media(key: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void>;
  database?(description: Description): Promise<void> | void;
  /** Receives a part of a table. A row may continue in the next one. */
  rows(table: string, part: Buffer): Promise<void>;
  /** Returns how many rows of a table were received. */
  countRows(table: string): Promise<number> | number;
}

/** The contents of a backup, in numbers. */
export interface BackupContents {
  readonly manifest: Manifest;
  readonly summary: Summary;
}

/**
 * Reads a backup to its end and passes its content on. Throws BackupError if anything is damaged, missing, repeated or
 * out of order; what was received by then must be discarded.
 */
export async function readBackup(
  path: string,
  options: ReadOptions,
  receiver: BackupReceiver,
): Promise<BackupContents> {
  const reader = new BackupReader(receiver);
  for await (const entry of readArchive(path, options)) await reader.read(entry);
  return reader.end();
}

class BackupReader {
  readonly #receiver: BackupReceiver;
  #manifest: Manifest | undefined;
  #description: Description | undefined;
  #summary: Summary | undefined;
  /** Index of the current table, and number of its next part. */
  #table = 0;
  #part = 0;
  readonly #media = { files: 0, bytes: 0 };

  constructor(receiver: BackupReceiver) {
    this.#receiver = receiver;
  }

  async read(entry: ArchiveEntry): Promise<void> {
    const { kind, name } = entry;
    if (kind === 'digest') {
      await readText(entry);
      return;
    }
    const isFirst = this.#manifest === undefined;
    if (isFirst !== (kind === 'manifest') || this.#summary !== undefined) throw damaged(`${name} is out of order`);
    await this.#readContent(entry);
  }

  async #readContent(entry: ArchiveEntry): Promise<void> {
    const { content } = entry;
    switch (entry.kind) {
      case 'manifest':
        this.#manifest = parseDocument(Manifest, entryNames.manifest, await readText(entry));
        return this.#receiver.manifest?.(this.#manifest);
      case 'settings':
        return this.#receiver.settings?.(await readText(entry));
      case 'secret':
        return this.#receiver.secret?.(entry.fileName, await buffer(content));
      case 'media':
        this.#media.files += 1;
        this.#media.bytes += entry.size;
        return this.#receiver.media(entry.key, entry.size, content);
      case 'database':
        if (this.#description !== undefined) throw damaged('it has two databases');
        this.#description = parseDocument(DatabaseDescription, entryNames.database, await readText(entry));
        return this.#receiver.database?.(this.#description);
      case 'rows':
        return this.#readRows(entry.table, entry.number, await buffer(content));
      case 'summary':
        this.#summary = parseDocument(Summary, entryNames.summary, await readText(entry));
        return;
      case 'digest':
    }
  }

  async #readRows(table: string, part: number, compressed: Buffer): Promise<void> {
    if (part === 0) {
      const tables = this.#description?.tables ?? [];
      const index = tables.findIndex(({ name }) => name === table);
      if (index < this.#table) throw damaged(`the table ${table} is unknown or out of order`);
      this.#table = index;
      this.#part = 0;
    }
    if (part !== this.#part || this.#description?.tables[this.#table]?.name !== table)
      throw damaged(`a part of the table ${table} is missing`);
    this.#part += 1;
    const rows = await decompress(compressed, { maxOutputLength: rowsBytes }).catch(() => {
      throw damaged(`a part of the table ${table} cannot be decompressed`);
    });
    await this.#receiver.rows(table, rows);
  }

  /** Compares what was received with the summary. */
  async end(): Promise<BackupContents> {
    if (this.#manifest === undefined || this.#description === undefined || this.#summary === undefined)
      throw damaged('its last part is missing');
    const { rows, media } = this.#summary;
    if (media.files !== this.#media.files || media.bytes !== this.#media.bytes) throw damaged('media are missing');
    for (const { name } of this.#description.tables)
      if ((await this.#receiver.countRows(name)) !== rows[name]) throw damaged(`rows of the table ${name} are missing`);
    return { manifest: this.#manifest, summary: this.#summary };
  }
}
