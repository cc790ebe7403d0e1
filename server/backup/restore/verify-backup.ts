import type { DatabaseDescription } from '../archive/documents.ts';
import type { ReadOptions } from '../archive/read-archive.ts';
import { readBackup, type BackupContents } from './read-backup.ts';

const lineFeed = 0x0a;

/** The contents of an intact backup. */
export interface VerifiedBackup extends BackupContents {
  readonly description: DatabaseDescription;
}

/** Reads a backup to its end. Throws BackupError unless all of it is there, unchanged. */
export async function verifyBackup(path: string, options: ReadOptions): Promise<VerifiedBackup> {
  const counts = new Map<string, number>();
  let description: DatabaseDescription = { migrations: [], tables: [], sequences: [] };
  const contents = await readBackup(path, options, {
    media: async (_key, _size, content) => discard(content),
    database: (found) => void (description = found),
    rows: async (table, part) => void counts.set(table, (counts.get(table) ?? 0) + countLines(part)),
    countRows: (table) => counts.get(table) ?? 0,
  });
  return { ...contents, description };
}

async function discard(content: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of content);
}

/** In the text format of COPY, each row is a line; line feeds in values are escaped. */
function countLines(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(lineFeed); at !== -1; at = text.indexOf(lineFeed, at + 1)) count += 1;
  return count;
}
