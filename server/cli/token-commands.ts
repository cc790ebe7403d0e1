import type { Command } from 'commander';
import { sql } from 'kysely';
import type { UserId } from '../platform/ids.ts';
import { CliError } from './cli-error.ts';
import { issueToken, parseScopeList } from './issue-token.ts';
import { withAccountsApp } from './open-app.ts';
import { commandLog, jsonOption, print, type OutputOptions } from './output.ts';
import { commandConfig } from './command-config.ts';

interface TokenOptions extends OutputOptions {
  readonly scopes: string;
  readonly app?: string;
}

export function addTokenCommands(program: Command): void {
  program
    .command('token')
    .description('Access tokens for the client interface')
    .command('create <username>')
    .description('Make an access token for someone with an account here')
    .requiredOption('--scopes <scopes>', 'what it allows, "read write follow push"')
    .option('--app <name>', 'name of the app that it belongs to')
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
    if (user === undefined) throw new CliError(`Nobody on this server is called ${username}.`);
    const token = await issueToken(app, user.user_id, scopes, options.app);
    print(options, { access_token: token, scope: scopes.join(' '), account_id: user.account_id }, () => [token]);
  });
}
