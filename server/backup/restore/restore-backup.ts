import pg from 'pg';
import { assertUnchanged, listMigrations } from '../../platform/database/migrations.ts';
import type { Manifest } from '../archive/documents.ts';
import { BackupError } from '../backup-error.ts';
import type { Instance } from '../create/create-backup.ts';
import { MediaStore } from './media-store.ts';
import { readBackup, type BackupContents } from './read-backup.ts';
import { RestoreTarget } from './restore-target.ts';
import { TableLoader } from './table-loader.ts';
import { verifyBackup, type VerifiedBackup } from './verify-backup.ts';
import { toError } from '../../platform/errors.ts';

export interface RestoreOptions {
  readonly passphrase: string | undefined;
  readonly onProgress: (step: string, share: number) => void;
}

/** A restored instance. */
export interface RestoredBackup extends BackupContents {
  /** File with the settings of the backup, which the operator compares with those of the machine. */
  readonly settingsPath: string;
}

/**
 * Reads a whole backup and checks that this version can restore it, before anything is opened or changed. Throws
 * BackupError.
 */
export async function checkBackup(path: string, { passphrase, onProgress }: RestoreOptions): Promise<VerifiedBackup> {
  const verified = await verifyBackup(path, {
    passphrase,
    onProgress: (share) => onProgress('Verifying', share),
  });
  try {
    assertUnchanged(listMigrations(), verified.description.migrations);
  } catch (error) {
    const { version } = verified.manifest;
    throw new BackupError(`This version cannot restore a backup of Fieldfare ${version}. ${toError(error).message}`);
  }
  return verified;
}

/**
 * Restores a backup that `checkBackup` accepted into an empty instance that is not running. The database changes in one
 * transaction at the end. Throws BackupError if the instance is not empty or anything fails; then it is as it was.
 */
export async function restoreBackup(
  { config, connection, storage }: Instance,
  path: string,
  { passphrase, onProgress }: RestoreOptions,
): Promise<RestoredBackup> {
  const target = new RestoreTarget(config, storage);
  await target.assertEmpty();
  await using tables = await TableLoader.open(connection);
  await target.begin();
  const contents = await load().catch(async (error: unknown) => {
    await target.undo();
    throw error instanceof pg.DatabaseError ? rejected(error) : error;
  });
  // If the response is lost, the commit may have succeeded: nothing is undone, and the restore can be repeated.
  await tables.commit();
  await target.complete();
  await tables.analyze();
  return { ...contents, settingsPath: target.settingsPath };

  async function load(): Promise<BackupContents> {
    await using media = await MediaStore.open(storage, config.dataDir);
    const read = await readBackup(
      path,
      { passphrase, onProgress: (share) => onProgress('Restoring', share) },
      {
        settings: (text) => target.writeSettings(text),
        secret: (fileName, content) => target.writeKey(fileName, content),
        media: (key, size, content) => media.add(key, size, content),
        database: (description) => tables.createTables(description),
        rows: (table, part) => tables.add(table, part),
        countRows: (table) => tables.count(table),
      },
    );
    await media.flush();
    await tables.finish((share) => onProgress('Building indexes', share));
    return read;
  }
}

const rejected = ({ message, table }: pg.DatabaseError): BackupError =>
  new BackupError(`The database rejected the backup${table === undefined ? '' : ` (in ${table})`}: ${message}`);

/** Returns how the settings of this machine differ from those that the instance had, for the operator. */
export function differingAddress(config: Instance['config'], manifest: Manifest): string | undefined {
  if (config.baseUrl === manifest.base_url && config.domain === manifest.domain) return undefined;
  return `The address of the instance is ${manifest.base_url}, and BASE_URL is ${config.baseUrl} here.`;
}
