import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { CliError } from '../cli-error.ts';

/** An account that a command acts on. */
export interface TargetAccount {
  readonly accountId: AccountId;
  readonly acct: string;
}

/** Returns the account for `name` or `name@domain`, also with a pending sign-up. Throws CliError if there is none. */
export async function loadTargetAccount(app: App, name: string, allowRemote: boolean): Promise<TargetAccount> {
  const { sql } = await import('kysely');
  const { parseHandle } = await import('../../accounts/find/index.ts');
  const handle = parseHandle(app, name);
  if (handle === undefined)
    throw new CliError(`Invalid account name: ${name}. Use a name such as alice or bob@example.org.`);
  const { username, domain } = handle;
  if (domain !== null && !allowRemote) throw new CliError(`${name} is not a local account.`);
  const { rows } = await sql<TargetAccount>`
    select id as "accountId", username || coalesce('@' || domain, '') as acct from accounts
    where lower(username) = lower(${username}) and coalesce(domain, '') = ${domain ?? ''} and deleted_at is null`.execute(
    app.db,
  );
  const [target] = rows;
  if (target === undefined) throw new CliError(`Unknown account: ${name}`);
  return target;
}
