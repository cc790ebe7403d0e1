import { to as copyTo } from 'pg-copy-streams';
import pg from 'pg';
import type { Connection } from '../platform/wire/pool.ts';
import { BackupError } from './backup-error.ts';
import { withSnapshot } from './create/snapshot.ts';
import { TableLoader } from './restore/table-loader.ts';

/**
 * Copies all rows of a database to an empty one, also of another version of PostgreSQL, in one transaction. Throws BackupError
 * if it is not empty, or if this version does not know all migrations of the source. `onProgress` receives the copied share.
 */
export async function copyDatabase(
  from: Connection,
  to: Connection,
  onProgress: (step: string, share: number) => void,
): Promise<void> {
  await using tables = await TableLoader.open(to);
  await withSnapshot(from, async ({ client, description, sizes }) => {
    await tables.createTables(description);
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 1);
    let done = 0;
    for (const { name, columns } of description.tables) {
      const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
      const quoted = pg.escapeIdentifier(name);
      const statement = copyTo(`copy ${quoted} (${list}) to stdout`);
      const stream = client.query(statement);
      for await (const part of stream) await tables.add(name, part as Buffer);
      const copied = await tables.count(name);
      if (copied !== stream.rowCount)
        throw new BackupError(`${copied} of ${stream.rowCount} rows of ${name} were copied.`);
      done += sizes.get(name) ?? 0;
      onProgress('Copying', done / total);
    }
    await tables.finish((share) => onProgress('Building indexes', share));
  });
  await tables.commit();
  await tables.analyze();
}
