import type { Command } from 'commander';
import { sql } from 'kysely';
import type { UserId } from '../../platform/ids.ts';
import { CliError } from '../cli-error.ts';
import { issueToken, parseScopeList } from './issue-token.ts';
import { withAccountsApp } from '../open/open-app.ts';
import { commandLog, jsonOption, print, type OutputOptions } from '../output.ts';
import { commandConfig } from '../command-config.ts';

interface TokenOptions extends OutputOptions {
  readonly scopes: string;
  readonly app?: string;
}

export function addTokenCommands(program: Command): void {
  program
    .command('token')
    .description('Manage access tokens of the client API')
    .command('create <username>')
    .description('Create an access token for a local account')
    .requiredOption('--scopes <scopes>', 'scopes, such as "read write follow push"')
    .option('--app <name>', 'name of its app')
    .option(...jsonOption)
    .action(createUserToken);
}

async function createUserToken(username: string, options: TokenOptions): Promise<void> {
  const scopes = parseScopeList(options.scopes);
  await withAccountsApp(commandConfig(), commandLog(), async (app) => {
    const { rows } = await sql<{ user_id: UserId; account_id: string }>`
      select "user".id as user_id, "user".account_id from users "user" join accounts account on account.id = "user".account_id
      where lower(account.username) = lower(${username.replace(/^@/, '')}) and account.domain is null and account.deleted_at is null`.execute(
      app.db,
    );
    const [user] = rows;
    if (user === undefined) throw new CliError(`Unknown account: ${username}`);
    const token = await issueToken(app, user.user_id, scopes, options.app);
    print(options, { access_token: token, scope: scopes.join(' '), account_id: user.account_id }, () => [token]);
  });
}
