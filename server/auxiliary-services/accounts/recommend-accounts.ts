import { sql } from 'kysely';
import { Type } from 'typebox';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { idSchema } from '../../platform/id-schema.ts';
import type { AccountId } from '../../platform/ids.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { countResults, finishRefresh, findRefresh, refreshHeader, startRefresh } from '../../refreshes/index.ts';
import { isPaused } from '../calls/call-provider.ts';
import { listProvidersWith } from '../providers/capabilities.ts';
import type { ProviderRow } from '../tables.ts';
import { askForAccounts, resolveAddresses } from './resolve-addresses.ts';

const intervalMs = 86_400_000;
/** Recommendations that no provider repeats are deleted after this time. */
const lifetimeMs = 14 * 86_400_000;
/** Seconds after which clients ask for the progress. */
const retrySeconds = 3;

const capability = 'follow_recommendation';
const keyOf = (accountId: AccountId): `recommendations:${string}` => `recommendations:${accountId}`;

/**
 * Queues a request for accounts that a local account may want to follow, once a day, while a provider is enabled. The
 * provider receives the address of the account, so it is asked for discoverable accounts only. Returns the header by
 * which clients follow it while it is running, else none.
 */
export async function queueRecommendations(app: App, accountId: AccountId): Promise<Record<string, string>> {
  const providers = await listProvidersWith(app, capability);
  if (providers.every((provider) => isPaused(app, provider))) return {};
  const key = keyOf(accountId);
  const refresh = await findRefresh(app, key);
  if (refresh?.isRunning === true) return refreshHeader(app, key, { retrySeconds, resultCount: refresh.resultCount });
  if (!(await isDue(app, accountId)) || (await findAccount(app, accountId))?.discoverable !== true) return {};
  const isStarted = await transaction(app, async (tx) => {
    if (!(await startRefresh(tx, app, key, { countsResults: true }))) return false;
    await sql`
      insert into service_provider_requests (account_id, requested_at)
      values (${accountId}::bigint, ${app.clock.now()}::timestamptz)
      on conflict (account_id) do update set requested_at = excluded.requested_at`.execute(tx.db);
    tx.enqueue(requestRecommendations({ accountId }));
    return true;
  });
  return isStarted ? refreshHeader(app, key, { retrySeconds, resultCount: 0 }) : {};
}

async function isDue({ db, clock }: App, accountId: AccountId): Promise<boolean> {
  const last = await db
    .selectFrom('service_provider_requests')
    .select('requested_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return last === undefined || clock.now().getTime() - last.requested_at.getTime() >= intervalMs;
}

/** Asks the providers for accounts that an account may want to follow, and fetches the unknown ones. */
export const requestRecommendations = defineJob(
  'service_provider.recommend_accounts',
  Type.Object({ accountId: idSchema<'account'>() }),
  async (app, { accountId }) => {
    const key = keyOf(accountId);
    try {
      const account = await findAccount(app, accountId);
      if (account?.discoverable !== true || account.suspended_at !== null) return;
      const query = new URLSearchParams({ accountUri: account.uri }).toString();
      const path = `/follow_recommendation/v0/accounts?${query}`;
      const answers = await askForAccounts(app, await listProvidersWith(app, capability), path);
      for (const [provider, addresses] of answers) {
        const { ids, newCount } = await resolveAddresses(app, addresses);
        await storeRecommendations(app, provider, { accountId, ids });
        await transaction(app, (tx) => countResults(tx, key, newCount));
      }
    } finally {
      await transaction(app, (tx) => finishRefresh(tx, app, key));
    }
  },
  'remote',
);

async function storeRecommendations(
  app: App,
  { id }: ProviderRow,
  { accountId, ids }: { readonly accountId: AccountId; readonly ids: readonly AccountId[] },
): Promise<void> {
  const now = app.clock.now();
  await transaction(app, async ({ db }) => {
    await sql`
      delete from service_provider_recommendations where account_id = ${accountId}::bigint
        and found_at < ${new Date(now.getTime() - lifetimeMs)}::timestamptz`.execute(db);
    // The provider may have been deleted meanwhile.
    await sql`
      insert into service_provider_recommendations (provider_id, account_id, target_account_id, place, found_at)
      select provider.id, ${accountId}::bigint, found.id, found.place, ${now}::timestamptz
      from service_providers provider,
        unnest(${ids}::bigint[]) with ordinality as found (id, place)
      where provider.id = ${id}::bigint and found.id <> ${accountId}::bigint
      on conflict (account_id, target_account_id, provider_id)
        do update set place = excluded.place, found_at = excluded.found_at`.execute(db);
  });
}
