import type { Command } from 'commander';
import { sql } from 'kysely';
import { isId, type AccountId, type UserId } from '../../platform/ids.ts';
import { listUserTokens } from '../../oauth/index.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp, withCommandAccountsApp } from '../open/command-app.ts';
import { issueToken, parseScopeList } from './issue-token.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import type { App } from '../../platform/app.ts';

interface TokenOptions extends OutputOptions {
  readonly scopes: string;
  readonly app?: string;
}

interface RevokeOptions extends OutputOptions {
  readonly all?: boolean;
}

/** Maximum number of listed tokens. */
const maxListed = 1_000;

export function addTokenCommands(group: Command): void {
  group
    .command('create <username>')
    .description('Create an access token for a local account')
    .requiredOption('--scopes <scopes>', 'scopes, such as "read write follow push"')
    .option('--app <name>', 'name of its app')
    .option(...jsonOption)
    .action(createUserToken);
  group
    .command('list <username>')
    .description('List the apps that act for a user, by their tokens, newest first')
    .option(...jsonOption)
    .action(listTokens);
  group
    .command('revoke <username> [id]')
    .description('Sign a user out of an app by the id of its token, or of all apps')
    .option('--all', 'all tokens')
    .option(...jsonOption)
    .action(revoke);
}

async function createUserToken(username: string, options: TokenOptions): Promise<void> {
  const scopes = parseScopeList(options.scopes);
  await withCommandAccountsApp(options, async (app) => {
    const { userId, accountId } = await requireUser(app, username);
    const token = await issueToken(app, userId, scopes, options.app);
    print(options, { access_token: token, scope: scopes.join(' '), account_id: accountId }, () => [token]);
  });
}

async function listTokens(username: string, options: OutputOptions): Promise<void> {
  await withCommandAccountsApp(options, async (app) => {
    const { userId } = await requireUser(app, username);
    const tokens = await listUserTokens(app, userId, maxListed);
    print(options, tokens, () =>
      tokens.length === 0 ? [`${username} has no tokens.`] : formatTable(tokens.map((token) => ({ ...token }))),
    );
  });
}

async function revoke(username: string, id: string | undefined, { all = false, ...options }: RevokeOptions) {
  if ((id === undefined) !== all) throw new CliError('Pass either the id of a token or --all.');
  if (id !== undefined && !isId(id))
    throw new CliError(`Not the id of a token: ${id}. See: fieldfare token list ${username}`);
  const { revokeTokensAsStaff } = await import('../../moderation/credentials/index.ts');
  await withCommandApp(options, async (app) => {
    const { accountId } = await requireUser(app, username);
    const revoked = await revokeTokensAsStaff(app, 'system', { accountId, tokenId: id });
    if (id !== undefined && revoked === 0) throw new CliError(`${username} has no token ${id}.`);
    print(options, { username, revoked }, () => [
      `${username} was signed out of ${revoked} ${revoked === 1 ? 'app' : 'apps'}.`,
    ]);
  });
}

async function requireUser(app: App, username: string): Promise<{ userId: UserId; accountId: AccountId }> {
  const { rows } = await sql<{ userId: UserId; accountId: AccountId }>`
    select "user".id as "userId", "user".account_id as "accountId"
    from users "user" join accounts account on account.id = "user".account_id
    where lower(account.username) = lower(${username.replace(/^@/, '')}) and account.domain is null and account.deleted_at is null`.execute(
    app.db,
  );
  const [user] = rows;
  if (user === undefined) throw new CliError(`Unknown account: ${username}`);
  return user;
}
