import type { Command } from 'commander';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { addAccountActions } from './account-actions.ts';
import { addCredentialCommands } from './credential-commands.ts';
import { addSignInCommands } from './sign-in-commands.ts';
import { generatePassword } from './generate-password.ts';
import { addLibraryCommands } from './library-commands.ts';
import { addRelationshipCommands } from './relationship-commands.ts';
import { addRemoteAccountCommands } from './remote-account-commands.ts';
import { loadTargetRole } from './load-target-role.ts';
import { CliError } from '../cli-error.ts';
import { withCommandAccountsApp, withReadingApp } from '../open/command-app.ts';
import { jsonOption, print, formatTable, type OutputOptions } from '../output.ts';
import { parseLimit } from '../parse-options.ts';

interface CreateOptions extends OutputOptions {
  readonly email: string;
  readonly password?: string;
  readonly role: string;
  readonly confirmed?: boolean;
  readonly approved: boolean;
  readonly scopes?: string;
  readonly reattach?: boolean;
}

/** A local account as the command line shows it. */
interface AccountSummary {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly role: string;
  readonly state: string;
  readonly statuses: number;
  readonly followers: number;
  readonly following: number;
  readonly created_at: Date;
  readonly last_active_at: Date | null;
}

export function addAccountCommands(group: Command): void {
  group
    .command('create <username>')
    .description(
      'Create an account, also with a name that sign-ups may not use. Without --password, prints a random one',
    )
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password <password>', 'password, at least 8 characters')
    .option('--role <role>', 'role of the user: see role list', 'user')
    .option('--confirmed', 'mark the address as confirmed and send no mail')
    .option('--approved', 'create it approved (the default)', true)
    .option('--no-approved', 'leave it pending approval, like a sign-up')
    .option('--reattach', 'give the user the name and address of an account that was deleted 31 days ago or more')
    .option('--scopes <scopes>', 'also create an access token with these scopes, such as "read write follow push"')
    .option(...jsonOption)
    .action(createAccount);
  group
    .command('show <username>')
    .description('Show an account')
    .option(...jsonOption)
    .action(showAccount);
  group
    .command('list')
    .description('List local accounts, newest first')
    .option('--limit <number>', 'maximum number', parseLimit, 100)
    .option('--pending', 'only pending sign-ups, with their reasons')
    .option(...jsonOption)
    .action(listAccounts);
  addAccountActions(group);
  addCredentialCommands(group);
  addSignInCommands(group);
  addLibraryCommands(group);
  addRelationshipCommands(group);
  addRemoteAccountCommands(group);
}

async function createAccount(username: string, options: CreateOptions): Promise<void> {
  const { issueToken, parseScopeList } = await import('./issue-token.ts');
  const { createUser } = await import('../../users/sign-up/index.ts');
  const scopes = options.scopes === undefined ? undefined : parseScopeList(options.scopes);
  const password = options.password ?? generatePassword();
  await withCommandAccountsApp(options, async (app) => {
    const role = await loadTargetRole(app, options.role);
    const deletedAccountId = options.reattach === true ? await findDeleted(app, username) : undefined;
    const { userId, accountId } = await createUser(app, {
      createdBy: 'system',
      username,
      email: options.email,
      password,
      roleId: role.id,
      allowReserved: true,
      confirmed: options.confirmed ?? false,
      approved: options.approved,
      deletedAccountId,
    });
    const token = scopes === undefined ? null : await issueToken(app, userId, scopes);
    const generated = options.password === undefined ? { password } : {};
    print(options, { id: accountId, username, ...generated, access_token: token }, () => [
      `Created @${username} (account ${accountId}, ${role.label}).`,
      ...(options.password === undefined ? [`Password: ${password}`] : []),
      ...(options.confirmed === true ? [] : [`Sent a confirmation mail to ${options.email}.`]),
      ...(options.approved ? [] : [`The account is pending approval: fieldfare account approve ${username}`]),
      ...(token === null ? [] : [`Access token: ${token}`]),
    ]);
  });
}

async function findDeleted(app: App, username: string): Promise<AccountId> {
  const { findDeletedAccount } = await import('../../accounts/lifecycle/index.ts');
  const deleted = await findDeletedAccount(app, username);
  if (deleted === undefined) throw new CliError(`No deleted account is named ${username}.`);
  const { accountId, emptyAt } = deleted;
  if (emptyAt > app.clock.now())
    throw new CliError(`The data of ${username} is being deleted. Repeat this after ${emptyAt.toISOString()}.`);
  return accountId;
}

async function showAccount(username: string, options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const [account] = await loadAccountSummaries(app, 1, username.replace(/^@/, ''));
    if (account === undefined) throw new CliError(`Unknown account: ${username}`);
    print(options, account, () =>
      Object.entries(account).map(
        ([name, value]) => `${name.padEnd(15)} ${value instanceof Date ? value.toISOString() : String(value ?? '-')}`,
      ),
    );
  });
}

async function listAccounts({
  limit,
  ...options
}: OutputOptions & { readonly limit: number; readonly pending?: boolean }): Promise<void> {
  await withReadingApp(options, async (app) => {
    const isPending = options.pending === true;
    const accounts = isPending ? await loadPendingSignUps(app, limit) : await loadAccountSummaries(app, limit);
    const none = isPending ? 'There are no pending sign-ups.' : 'There are no accounts yet.';
    print(options, accounts, () =>
      accounts.length === 0 ? [none] : formatTable(accounts.map((account) => ({ ...account }))),
    );
  });
}

async function loadAccountSummaries(app: App, limit: number, username?: string): Promise<AccountSummary[]> {
  const { sql } = await import('kysely');
  const { rows } = await sql<AccountSummary>`
    select account.id, account.username, "user".email,
      case when role.name = '' then 'user' else lower(role.name) end as role,
      case when account.suspended_at is not null then 'suspended' when "user".disabled then 'disabled'
        when "user".confirmed_at is null then 'unconfirmed' when not "user".approved then 'waiting for approval'
        else 'active' end as state,
      coalesce(stats.statuses_count, 0) as statuses, coalesce(stats.followers_count, 0) as followers,
      coalesce(stats.following_count, 0) as following, account.created_at, "user".last_active_at
    from users "user" join accounts account on account.id = "user".account_id
    left join roles role on role.id = "user".role_id left join account_stats stats on stats.account_id = account.id
    where account.deleted_at is null and (${username ?? null}::text is null or lower(account.username) = lower(${username ?? null}))
    order by account.id desc limit ${limit}`.execute(app.db);
  return rows;
}

interface PendingSignUp {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly confirmed: boolean;
  readonly ip: string | null;
  readonly created_at: Date;
  readonly reason: string | null;
  readonly lacks_proof: boolean;
}

/** Returns the sign-ups pending approval, oldest first. */
async function loadPendingSignUps(app: App, limit: number): Promise<PendingSignUp[]> {
  const { sql } = await import('kysely');
  const { rows } = await sql<PendingSignUp>`
    select account.id, account.username, "user".email, "user".confirmed_at is not null as confirmed,
      host("user".sign_up_ip) as ip, "user".created_at, "user".sign_up_reason as reason,
      "user".lacks_proof_of_work as lacks_proof
    from users "user" join accounts account on account.id = "user".account_id
    where not "user".approved and account.deleted_at is null order by "user".created_at limit ${limit}`.execute(app.db);
  return rows;
}
