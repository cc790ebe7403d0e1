import { sql, type Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { instanceActorId, instanceActorName, isInstanceActorName } from '../actor-urls.ts';
import { ensureInstanceActor } from '../keys/instance-actor.ts';
import { parseHandle, type Handle } from './parse-handle.ts';
import type { AccountTables } from '../tables.ts';

export type AccountRow = Selectable<AccountTables['accounts']>;

/** As many as activities are processed at once. */
const batchSize = 128;

const selectById = batchedQuery<AccountRow>()<{ id: AccountId }>(
  { id: 'bigint' },
  ({ id }) => sql`select * from accounts where id = ${id} and deleted_at is null`,
  { batchSize },
);

const selectByUri = batchedQuery<AccountRow>()<{ uri: string }>(
  { uri: 'text' },
  ({ uri }) => sql`select * from accounts where uri = ${uri} and deleted_at is null`,
  { batchSize },
);

const selectLocal = batchedQuery<AccountRow>()<{ username: string }>(
  { username: 'text' },
  ({ username }) => sql`
    select * from accounts
    where lower(username) = ${username} and coalesce(domain, '') = '' and deleted_at is null and activated`,
  { batchSize },
);

const selectByHandles = preparedQuery<AccountRow>()((db, args: { usernames: string[]; domains: string[] }) =>
  db
    .selectFrom('accounts')
    .selectAll('accounts')
    .innerJoin(
      sql<{
        username: string;
        domain: string;
      }>`unnest(${args.usernames}::text[], ${args.domains}::text[])`.as<'handle'>(sql`handle(username, domain)`),
      (join) =>
        join.on(
          sql<boolean>`lower(accounts.username) = handle.username and coalesce(accounts.domain, '') = handle.domain`,
        ),
    )
    .where('deleted_at', 'is', null)
    .where('activated', '=', true),
);

/** Returns the account with this id. Throws 404 if there is none, or it is deleted or not activated. */
export async function requireAccount(app: App, id: AccountId): Promise<AccountRow> {
  if (id === instanceActorId) await ensureInstanceActor(app);
  const [account] = await selectById(app, { id });
  if (account?.activated !== true) throw notFound();
  return account;
}

/** Finds the account with this id, even if it is not activated. */
export async function findAccount(app: App, id: AccountId): Promise<AccountRow | undefined> {
  return (await selectById(app, { id }))[0];
}

/** Finds the stored account with this ActivityPub id. Never uses the network. */
export async function findAccountByUri(app: App, uri: string): Promise<AccountRow | undefined> {
  return (await selectByUri(app, { uri }))[0];
}

/**
 * Finds the stored account of a handle as people type it: `name`, `@name` or `name@domain`, also with the local domain.
 * Never uses the network.
 */
export async function findAccountByAcct(app: App, acct: string): Promise<AccountRow | undefined> {
  const handle = parseHandle(app, acct);
  return handle && (await findAccountsByHandle(app, [handle]))[0];
}

/** Finds the local account with this username, ignoring case. */
export async function findLocalAccount(app: App, username: string): Promise<AccountRow | undefined> {
  const isInstance = isInstanceActorName(app, username);
  if (isInstance) await ensureInstanceActor(app);
  const name = isInstance ? instanceActorName(app) : username;
  return (await selectLocal(app, { username: name.toLowerCase() }))[0];
}

/** Finds the stored accounts of these handles, in no order, in one query. */
export async function findAccountsByHandle(app: App, handles: readonly Handle[]): Promise<AccountRow[]> {
  if (handles.length === 0) return [];
  return selectByHandles(app, {
    usernames: handles.map(({ username }) => username.toLowerCase()),
    domains: handles.map(({ domain }) => domain ?? ''),
  });
}
