import type { Command } from 'commander';
import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import {
  createInvite,
  expireInvite,
  inviteUrl,
  isUsable,
  listInvites,
  type Invite,
} from '../../users/invites/index.ts';
import { CliError } from '../cli-error.ts';
import { commandConfig } from '../command-config.ts';
import { withApp } from '../open/open-app.ts';
import { commandLog, formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parsePositiveInteger } from '../parse-options.ts';

interface CreateOptions extends OutputOptions {
  readonly maxUses?: number;
  readonly days?: number;
  readonly comment?: string;
}

const maxListed = 1_000;

export function addInviteCommands(program: Command): void {
  const group = program.command('invite').description('Manage links to sign up while registrations are not open');
  group
    .command('create <username>')
    .description('Create an invite in the name of a user. Guests of an owner need no approval')
    .option('--max-uses <number>', 'how many people may use it; any number by default', parsePositiveInteger)
    .option('--days <number>', 'days until it expires; never by default', parsePositiveInteger)
    .option('--comment <text>', 'note for staff')
    .option(...jsonOption)
    .action(create);
  group
    .command('list')
    .description('List the invites, newest first')
    .option(...jsonOption)
    .action(list);
  group
    .command('expire <code>')
    .description('Let an invite expire now')
    .option(...jsonOption)
    .action(expire);
}

async function create(username: string, { maxUses, days, comment, ...options }: CreateOptions): Promise<void> {
  await withApp(commandConfig(), commandLog(), async (app) => {
    const name = username.replace(/^@/, '');
    const code = await createInvite(app, 'system', { username: name, maxUses, days, comment }).catch(
      rethrowMissing(`Unknown account: ${username}`),
    );
    print(options, { code, url: inviteUrl(app, code) }, () => [inviteUrl(app, code)]);
  });
}

async function list(options: OutputOptions): Promise<void> {
  await withApp(commandConfig(), commandLog(), async (app) => {
    const rows = (await listInvites(app, maxListed)).map((invite) => toOutput(app, invite));
    print(options, rows, () => (rows.length === 0 ? ['There are no invites.'] : formatTable(rows)));
  });
}

async function expire(code: string, options: OutputOptions): Promise<void> {
  await withApp(commandConfig(), commandLog(), async (app) => {
    const changed = await expireInvite(app, 'system', code).catch(rethrowMissing(`Unknown invite: ${code}`));
    print(options, { code, changed }, () => [changed ? `${code} has expired.` : `${code} had expired before.`]);
  });
}

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
    if (error instanceof HttpError && error.status === 404) throw new CliError(text);
    throw error;
  };
