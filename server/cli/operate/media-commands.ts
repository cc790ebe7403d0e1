import type { Command } from 'commander';
import type { MediaTarget } from '../../federation/retention/index.ts';
import type { App } from '../../platform/app.ts';
import { isId } from '../../platform/ids.ts';
import { loadTargetAccount } from '../account/load-target-account.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseDays } from '../parse-options.ts';
import { createProgressBar } from '../progress-bar.ts';
import { requireDomain } from '../require-domain.ts';

interface RemoveOptions extends OutputOptions {
  readonly days: number;
  readonly dryRun?: boolean;
}

interface RefreshOptions extends OutputOptions {
  readonly status?: string | undefined;
  readonly account?: string | undefined;
  readonly domain?: string | undefined;
  readonly days?: number;
  readonly dryRun?: boolean;
}

export function addMediaCommands(group: Command): void {
  group
    .command('usage')
    .description('Measure the stored files, and the remote files that this machine caches')
    .option(...jsonOption)
    .action(showUsage);
  group
    .command('remove')
    .description('Remove remote files from the cache of this machine. They are fetched again when they are viewed')
    .option('--days <number>', 'only files that were not viewed for this many days', parseDays, 7)
    .option('--dry-run', 'only count them')
    .option(...jsonOption)
    .action(remove);
  group
    .command('refresh')
    .description('Fetch the media of a remote post, account or domain again into the cache of this machine')
    .option('--status <id>', 'the attachments of this post')
    .option('--account <name@domain>', 'the avatar, header and attachments of this account')
    .option('--domain <domain>', 'those of all accounts of this domain')
    .option('--days <number>', 'only attachments that were stored in the last days', parseDays)
    .option('--dry-run', 'only count them')
    .option(...jsonOption)
    .action(refresh);
  group
    .command('move <place>')
    .description('Move all stored files to the bucket or to the disk of this machine (disk), while the server runs')
    .option(...jsonOption)
    .action(move);
}

const loadRetention = () => import('../../federation/retention/index.ts');

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

async function showUsage(options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const { measureCachedFiles } = await import('../../media/proxy/index.ts');
    const { measureStorage } = await import('../../media/usage/index.ts');
    const folders = await measureStorage(app);
    const cache = { folder: 'cache of remote files', ...(await measureCachedFiles(app)) };
    const maxBytes = app.config.MEDIA_CACHE_SIZE * 1024 * 1024;
    print(options, { folders, cache: { files: cache.files, bytes: cache.bytes, max_bytes: maxBytes } }, () => [
      ...formatTable(
        [...folders, cache].map(({ folder, files, bytes }) => ({ folder, files, size: megabytes(bytes) })),
      ),
      `The cache takes at most ${megabytes(maxBytes)} (MEDIA_CACHE_SIZE).`,
    ]);
  });
}

async function remove({ days, dryRun, ...options }: RemoveOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { removeUnusedMedia } = await loadRetention();
    const bar = createProgressBar(options);
    const progress = (share: number): void => bar.show('Removing files', share);
    const removed = await removeUnusedMedia(app, 'system', { days, dryRun, progress }).finally(bar.end);
    print(options, removed, () => [
      `${dryRun === true ? 'It would remove' : 'Removed'} ${removed.files} files (${megabytes(removed.bytes)}).`,
    ]);
  });
}

async function refresh({ status, account, domain, days, dryRun, ...options }: RefreshOptions): Promise<void> {
  const given = [status, account, domain].filter((value) => value !== undefined);
  const [label, ...more] = given;
  if (label === undefined || more.length > 0) throw new CliError('Pass one of --status, --account and --domain.');
  await withCommandApp(options, async (app) => {
    const { refreshMedia } = await loadRetention();
    const target = await findTarget(app, { status, account, domain });
    const bar = createProgressBar(options);
    const total =
      dryRun === true ? 0 : (await refreshMedia(app, 'system', { target, label, days, dryRun: true })).files;
    const result = await refreshMedia(app, 'system', {
      target,
      label,
      days,
      dryRun,
      progress: ({ files }) => bar.show('Fetching files', total === 0 ? 1 : Math.min(files / total, 1)),
    }).finally(bar.end);
    print(options, result, () => [
      dryRun === true
        ? `It would fetch ${result.files} files.`
        : `Fetched ${result.fetched} of ${result.files} files; ${result.failed} failed.`,
    ]);
  });
}

async function findTarget(
  app: App,
  { status, account, domain }: Pick<RefreshOptions, 'status' | 'account' | 'domain'>,
): Promise<MediaTarget> {
  if (account !== undefined)
    return { kind: 'account', accountId: (await loadTargetAccount(app, account, true)).accountId };
  if (domain !== undefined) return { kind: 'domain', domain: requireDomain(domain) };
  if (status === undefined || !isId(status)) throw new CliError(`Not the id of a post: ${status ?? ''}`);
  return { kind: 'status', statusId: status };
}

async function move(place: string, options: OutputOptions): Promise<void> {
  if (place !== 'bucket' && place !== 'disk') throw new CliError('Move files to `bucket` or to `disk`.');
  await withCommandApp(options, async (app) => {
    const { moveStoredFiles } = await import('../../media/usage/index.ts');
    if (app.config.MEDIA_MOVE !== `to-${place}`)
      throw new CliError(`Set MEDIA_MOVE=to-${place} and the S3 settings, restart the server, and repeat this.`);
    const bar = createProgressBar(options);
    const progress = (share: number): void => bar.show('Moving files', share);
    const moved = await moveStoredFiles(app, 'system', { place, progress }).finally(bar.end);
    print(options, moved, () => [
      `Moved ${moved.files} files (${megabytes(moved.bytes)}).`,
      'Now remove MEDIA_MOVE and restart the server.',
    ]);
  });
}
