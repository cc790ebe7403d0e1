import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { createBackup, verifyBackup } from '../../backup/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { listGivenSettings } from '../../platform/config.ts';
import { createStorage } from '../../platform/storage/create-storage.ts';
import { commandConfig, settingsFolder } from '../command-config.ts';
import { openCommandDatabase } from '../open/open-database.ts';
import { commandLog, jsonOption, print, type OutputOptions } from '../output.ts';
import { parsePositiveInteger } from '../parse-options.ts';
import { createProgressBar } from '../progress-bar.ts';
import { describeContents } from './describe-contents.ts';
import { readPassphrase } from './read-passphrase.ts';
import { addRestoreCommand } from './restore-command.ts';

interface CreateOptions extends OutputOptions {
  readonly passphraseFile?: string;
  readonly maxRate: number;
}

const passphraseOption = [
  '--passphrase-file <file>',
  'file with the passphrase; - reads it from standard input',
] as const;
const megabyte = 1_000_000;

export function addBackupCommands(group: Command): void {
  group
    .command('create <file>')
    .description('Write database, media, keys and settings into a new file, also while the server runs')
    .option('--passphrase-file <file>', `encrypt it with the passphrase in a file; - reads standard input`)
    .option('--max-rate <megabytes>', 'megabytes to read in a second at most', parsePositiveInteger, 50)
    .option(...jsonOption)
    .addHelpText('after', '\nIf <file> is a folder, the file in it is named by domain and time.')
    .action(create);
  group
    .command('verify <file>')
    .description('Read a backup to its end, and fail if any of it is missing or was changed')
    .option(...passphraseOption)
    .option(...jsonOption)
    .action(verify);
  addRestoreCommand(group, passphraseOption);
}

async function create(file: string, options: CreateOptions): Promise<void> {
  const config = commandConfig(options);
  const passphrase = await readPassphrase(options, options.passphraseFile, { isNew: true });
  const path = backupPath(resolve(options.shell.cwd, file), config.domain, passphrase !== undefined);
  const bar = createProgressBar(options);
  using stopped = stopOnSignals();
  const database = await openCommandDatabase(config, commandLog(options));
  try {
    const instance = {
      config,
      connection: database.directConnection,
      storage: createStorage(config),
      clock: systemClock,
    };
    const summary = await createBackup(instance, path, {
      passphrase,
      bytesPerSecond: options.maxRate * megabyte,
      settings: listGivenSettings(options.shell.env, settingsFolder),
      onProgress: bar.show,
      signal: stopped.signal,
    });
    bar.end();
    print(options, { file: path, encrypted: passphrase !== undefined, ...summary }, () => [
      `Wrote ${path}: ${describeContents(summary)}.`,
      ...(passphrase === undefined
        ? ['It is not encrypted, and contains private messages, keys and passwords: store it accordingly.']
        : []),
    ]);
  } finally {
    bar.end();
    await database.close();
  }
}

async function verify(file: string, options: OutputOptions & { passphraseFile?: string }): Promise<void> {
  const passphrase = await readPassphrase(options, options.passphraseFile);
  const bar = createProgressBar(options);
  const { manifest, summary } = await verifyBackup(resolve(options.shell.cwd, file), {
    passphrase,
    onProgress: (share) => bar.show('Verifying', share),
  }).finally(bar.end);
  print(options, { ...manifest, ...summary }, () => [
    `The backup of ${manifest.domain} of ${manifest.created_at} is intact: ${describeContents(summary)}.`,
  ]);
}

/** Returns the path of a new backup, for an absolute path: in a folder, its name is made of domain and time. */
function backupPath(file: string, domain: string, isEncrypted: boolean): string {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) return file;
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return join(file, `${domain.replaceAll(':', '-')}-${time}.${isEncrypted ? 'backup' : 'tar'}`);
}

/** Aborts on Ctrl-C and SIGTERM, so that an unfinished file is deleted. */
function stopOnSignals(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals): void => controller.abort(new Error(`stopped by ${signal}`));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}
