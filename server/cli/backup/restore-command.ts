import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { checkBackup, differingAddress, restoreBackup } from '../../backup/index.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { embeddedDataFolder } from '../../platform/database/embedded/index.ts';
import { createStorage } from '../../platform/storage/create-storage.ts';
import { CliError } from '../cli-error.ts';
import { commandConfig } from '../command-config.ts';
import { openCommandDatabase, type OpenDatabase } from '../open/open-database.ts';
import { commandLog, jsonOption, print, type OutputOptions } from '../output.ts';
import { createProgressBar } from '../progress-bar.ts';
import { describeContents } from './describe-contents.ts';
import { readPassphrase } from './read-passphrase.ts';

export function addRestoreCommand(group: Command, passphraseOption: readonly [string, string]): void {
  group
    .command('restore <file>')
    .description('Restore a backup into an empty DATA_DIR or database, while the server is stopped')
    .option(...passphraseOption)
    .option(...jsonOption)
    .action(restore);
}

async function restore(path: string, options: OutputOptions & { passphraseFile?: string }): Promise<void> {
  const config = commandConfig(options);
  const file = resolve(options.shell.cwd, path);
  const passphrase = await readPassphrase(options, options.passphraseFile);
  const bar = createProgressBar(options);
  const reading = { passphrase, onProgress: bar.show };
  await checkBackup(file, reading).finally(bar.end);
  const { manifest, summary, settingsPath } = await withEmptyDatabase(
    { config, log: commandLog(options) },
    (database) =>
      restoreBackup(
        { config, connection: database.directConnection, storage: createStorage(config), clock: systemClock },
        file,
        reading,
      ),
  ).finally(bar.end);
  print(options, { ...manifest, ...summary, settings: settingsPath }, () => [
    `Restored the backup of ${manifest.domain} of ${manifest.created_at}: ${describeContents(summary)}.`,
    `Its settings are in ${settingsPath}: copy what you need to .env before you start the server.`,
    ...[differingAddress(config, manifest) ?? []].flat(),
  ]);
}

/** Runs `use` with the database of a stopped server. If it fails, an embedded database that is new is deleted. */
async function withEmptyDatabase<Result>(
  { config, log }: { config: Config; log: Logger },
  use: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  const cluster = embeddedDataFolder(config.dataDir);
  const created = [config.dataDir, cluster].find((folder) => !existsSync(folder));
  try {
    const database = await openCommandDatabase(config, log);
    try {
      if (database.kind === 'attached')
        throw new CliError('The server is running. Stop it before you restore a backup.');
      return await use(database);
    } finally {
      await database.close();
    }
  } catch (error) {
    if (created !== undefined && config.DATABASE_URL === undefined) await rm(created, { recursive: true, force: true });
    throw error;
  }
}
