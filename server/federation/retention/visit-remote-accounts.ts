import type { App } from '../../platform/app.ts';
import { type AccountId, noId } from '../../platform/ids.ts';

/** Rows per statement. */
const batchSize = 200;
/** Accounts that are visited at once. */
const concurrency = 8;

/** Which remote accounts to visit. Without any of them: all. */
export interface RemoteAccountFilter {
  readonly ids?: readonly AccountId[] | undefined;
  /** Only accounts of these domains. */
  readonly domains?: readonly string[] | undefined;
  /** Only accounts that were not fetched since then. */
  readonly fetchedBefore?: Date | undefined;
}

/** A stored remote account. */
export interface VisitedAccount {
  readonly id: AccountId;
  readonly username: string;
  /** With its port. */
  readonly domain: string;
  readonly uri: string;
}

/** Visits the remote accounts that are neither deleted nor suspended, by id, a few at a time. Rejects when a visit does. */
export async function visitRemoteAccounts(
  app: App,
  filter: RemoteAccountFilter,
  visit: (account: VisitedAccount) => Promise<void>,
): Promise<void> {
  const accounts = listRemoteAccounts(app, filter);
  const visitNext = async (): Promise<void> => {
    for (let next = await accounts.next(); next.done !== true; next = await accounts.next()) await visit(next.value);
  };
  await Promise.all(Array.from({ length: concurrency }, visitNext));
}

async function* listRemoteAccounts(
  { db }: App,
  { ids, domains, fetchedBefore }: RemoteAccountFilter,
): AsyncGenerator<VisitedAccount, undefined> {
  for (let after: AccountId | undefined = noId; after !== undefined;) {
    let query = db
      .selectFrom('accounts')
      .select(['id', 'username', 'domain', 'uri'])
      .where('domain', 'is not', null)
      .where('deleted_at', 'is', null)
      .where('suspended_at', 'is', null)
      .where('id', '>', after);
    if (ids !== undefined) query = query.where('id', 'in', [...ids]);
    if (domains !== undefined) query = query.where('domain', 'in', [...domains]);
    if (fetchedBefore !== undefined)
      query = query.where((is) => is.or([is('fetched_at', 'is', null), is('fetched_at', '<', fetchedBefore)]));
    const rows: (Omit<VisitedAccount, 'domain'> & { domain: string | null })[] = await query
      .orderBy('id')
      .limit(batchSize)
      .execute();
    for (const { domain, ...account } of rows) if (domain !== null) yield { ...account, domain };
    after = rows.length < batchSize ? undefined : rows.at(-1)?.id;
  }
  return undefined;
}

/** Returns the number of accounts that `visitRemoteAccounts` would visit. */
export async function countRemoteAccounts(app: App, filter: RemoteAccountFilter): Promise<number> {
  let count = 0;
  for await (const _ of listRemoteAccounts(app, filter)) count += 1;
  return count;
}
