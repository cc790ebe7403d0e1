import { Option, type Command } from 'commander';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import {
  countAvailableInvites,
  createInvite,
  expireInvite,
  expireInvites,
  inviteUrl,
  isUsable,
  listInvites,
  type Invite,
} from '../../users/invites/index.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseDays, parseLimit, parsePositiveInteger } from '../parse-options.ts';
import { loadTargetAccount } from './load-target-account.ts';

interface CreateOptions extends OutputOptions {
  readonly maxUses?: number;
  readonly days?: number;
  readonly comment?: string;
}

interface ListOptions extends OutputOptions {
  readonly state?: 'available' | 'expired';
  readonly user?: string;
  readonly limit: number;
}

interface ExpireOptions extends OutputOptions {
  readonly all?: boolean;
  readonly user?: string;
  readonly dryRun?: boolean;
}

const daySeconds = 86_400;

export function addInviteCommands(group: Command): void {
  group
    .command('create <username>')
    .description('Create an invite in the name of a user. Guests of an owner need no approval')
    .option('--max-uses <number>', 'how many people may use it; any number by default', parsePositiveInteger)
    .option('--days <number>', 'days until it expires; never by default', parseDays)
    .option('--comment <text>', 'note for staff')
    .option(...jsonOption)
    .action(create);
  group
    .command('list')
    .description('List the invites, newest first')
    .addOption(new Option('--state <state>', 'only those').choices(['available', 'expired']))
    .option('--user <username>', 'only those of this user')
    .option('--limit <number>', 'maximum number', parseLimit, 1_000)
    .option(...jsonOption)
    .action(list);
  group
    .command('expire [code]')
    .description('Let an invite expire now, or all of them')
    .option('--all', 'all available invites')
    .option('--user <username>', 'with --all, only those of this user')
    .option('--dry-run', 'with --all, only count them')
    .option(...jsonOption)
    .action((code: string | undefined, options: ExpireOptions) =>
      options.all === true ? expireAll(code, options) : expire(code, options),
    );
}

async function create(username: string, { maxUses, days, comment, ...options }: CreateOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const expiresInSeconds = days === undefined ? undefined : days * daySeconds;
    const values = { username, maxUses, expiresInSeconds, comment };
    const code = await createInvite(app, 'system', values).catch(rethrowMissing(`Unknown account: ${username}`));
    print(options, { code, url: inviteUrl(app, code) }, () => [inviteUrl(app, code)]);
  });
}

async function list({ state, user, limit, ...options }: ListOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const filters = { state, accountId: await findAccountId(app, user) };
    const { invites } = await listInvites(app, { ...wholeList, limit }, filters);
    const rows = invites.map((invite) => toOutput(app, invite));
    print(options, rows, () => (rows.length === 0 ? ['There are no invites.'] : formatTable(rows)));
  });
}

async function expire(code: string | undefined, options: ExpireOptions): Promise<void> {
  if (code === undefined) throw new CliError('Pass either a code or --all.');
  await withCommandApp(options, async (app) => {
    const changed = await expireInvite(app, 'system', code).catch(rethrowMissing(`Unknown invite: ${code}`));
    print(options, { code, changed }, () => [changed ? `${code} has expired.` : `${code} had expired before.`]);
  });
}

async function expireAll(code: string | undefined, { user, dryRun, ...options }: ExpireOptions): Promise<void> {
  if (code !== undefined) throw new CliError('Pass either a code or --all.');
  await withCommandApp(options, async (app) => {
    const accountId = await findAccountId(app, user);
    const count =
      dryRun === true ? await countAvailableInvites(app, accountId) : await expireInvites(app, 'system', accountId);
    print(options, { count }, () => [
      dryRun === true ? `Invites that would expire: ${count}` : `Invites that have expired: ${count}`,
    ]);
  });
}

const wholeList = { maxId: undefined, sinceId: undefined, minId: undefined };

const findAccountId = async (app: App, user: string | undefined): Promise<AccountId | undefined> =>
  user === undefined ? undefined : (await loadTargetAccount(app, user, false)).accountId;

const toOutput = (app: App, invite: Invite) => ({
  url: inviteUrl(app, invite.code),
  username: invite.username,
  uses: invite.uses,
  max_uses: invite.maxUses,
  expires_at: invite.expiresAt,
  usable: isUsable(app, invite),
  comment: invite.comment,
});

const rethrowMissing =
  (text: string) =>
  (error: unknown): never => {
    if (isNotFound(error)) throw new CliError(text);
    throw error;
  };
