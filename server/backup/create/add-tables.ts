import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { rowsBytes, rowsName } from '../archive/entries.ts';
import { splitFrames } from '../archive/split-stream.ts';
import type { ArchiveWriter } from '../archive/write-archive.ts';
import type { Pace } from './pace.ts';
import type { Snapshot } from './snapshot.ts';

const compress = promisify(zstdCompress);

/**
 * Copies all tables in the text format of COPY, which every version of PostgreSQL reads, in compressed parts. Returns the
 * number of rows of each. `onProgress` receives the share of the tables that was read.
 */
export async function addTables(
  { client, description, sizes }: Snapshot,
  archive: ArchiveWriter,
  { pace, onProgress }: { readonly pace: Pace; readonly onProgress: (share: number) => void },
): Promise<Record<string, number>> {
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 1);
  const rows: Record<string, number> = {};
  let done = 0;
  for (const { name, columns } of description.tables) {
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const quoted = pg.escapeIdentifier(name);
    const statement = copyTo(`copy ${quoted} (${list}) to stdout`);
    const stream = client.query(statement);
    let number = 0;
    for await (const { bytes } of splitFrames(stream, rowsBytes)) {
      if (bytes.length === 0) continue;
      await pace(bytes.length);
      const compressed = await compress(bytes);
      await archive.add(rowsName(name, number), compressed.length, [compressed]);
      number += 1;
      // An estimate: the rows as text are about as large as the table on disk.
      onProgress(Math.min(done + number * rowsBytes, done + (sizes.get(name) ?? 0)) / total);
    }
    rows[name] = stream.rowCount;
    done += sizes.get(name) ?? 0;
    onProgress(done / total);
  }
  return rows;
}
