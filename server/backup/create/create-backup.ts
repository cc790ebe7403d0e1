import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Connection } from '../../platform/wire/pool.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { version } from '../../platform/version.ts';
import type { Manifest, Summary } from '../archive/documents.ts';
import { entryNames, isKeyFile, secretName } from '../archive/entries.ts';
import { writeArchive, type ArchiveWriter } from '../archive/write-archive.ts';
import { BackupError } from '../backup-error.ts';
import { formatSettings } from '../settings-file.ts';
import { MediaCopier } from './add-media.ts';
import { addTables } from './add-tables.ts';
import { countMedia } from './list-media.ts';
import { createPace } from './pace.ts';
import { withSnapshot } from './snapshot.ts';

/** Where an instance is. */
export interface Instance {
  readonly config: Config;
  readonly connection: Connection;
  readonly storage: Storage;
  readonly clock: Clock;
}

export interface CreateOptions {
  /** Encrypts the backup. */
  readonly passphrase: string | undefined;
  /** Maximum bytes to read in a second. */
  readonly bytesPerSecond: number;
  /** The settings of the instance by name. */
  readonly settings: Readonly<Record<string, string>>;
  readonly onProgress: (step: string, share: number) => void;
  /** Stops the backup; nothing of it is kept. */
  readonly signal: AbortSignal;
}

/**
 * Writes the whole instance into one file, while it runs: database, media, keys and settings. Reads with one connection
 * and one file at a time. Throws BackupError; then the file does not exist.
 */
export async function createBackup(instance: Instance, path: string, options: CreateOptions): Promise<Summary> {
  if (existsSync(path)) throw new BackupError(`${path} exists. Choose another name, or delete it.`);
  let summary: Summary | undefined;
  await writeArchive(path, options, async (archive) => {
    summary = await addInstance(instance, archive, options);
  });
  if (summary === undefined) throw new Error('the archive was written without its entries');
  return summary;
}

async function addInstance(
  { config, connection, storage, clock }: Instance,
  archive: ArchiveWriter,
  { settings, bytesPerSecond, onProgress }: CreateOptions,
): Promise<Summary> {
  const now = clock.now();
  await addJson(archive, entryNames.manifest, {
    format: 1,
    version,
    created_at: now.toISOString(),
    base_url: config.baseUrl,
    domain: config.domain,
  } satisfies Manifest);
  await addBuffer(archive, entryNames.settings, Buffer.from(formatSettings(settings)));
  await addSecrets(archive, join(config.dataDir, 'secrets'));
  const pace = createPace(bytesPerSecond);
  const media = new MediaCopier(storage, archive, { pace, now });
  const expected = Math.max(await countMedia(storage), 1);
  let copied = 0;
  await media.copyAll(() => {
    copied += 1;
    onProgress('Copying media', Math.min(copied / expected, 1));
  });
  const rows = await withSnapshot(connection, async (snapshot) => {
    await addJson(archive, entryNames.database, snapshot.description);
    return addTables(snapshot, archive, { pace, onProgress: (share) => onProgress('Copying tables', share) });
  });
  await media.copyNew();
  const summary: Summary = { rows, media: media.totals };
  await addJson(archive, entryNames.summary, summary);
  return summary;
}

async function addSecrets(archive: ArchiveWriter, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const fileName of readdirSync(folder).filter(isKeyFile))
    await addBuffer(archive, secretName(fileName), readFileSync(join(folder, fileName)));
}

const addJson = (archive: ArchiveWriter, name: string, value: unknown): Promise<void> =>
  addBuffer(archive, name, Buffer.from(`${JSON.stringify(value)}\n`));

const addBuffer = (archive: ArchiveWriter, name: string, content: Buffer): Promise<void> =>
  archive.add(name, content.length, [content]);
