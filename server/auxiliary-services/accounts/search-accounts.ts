import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { countResults, finishRefresh, findRefresh, refreshHeader, startRefresh } from '../../refreshes/index.ts';
import { blocksDomain, isUnwanted, loadAccountRelations } from '../../relationships/rules/index.ts';
import { isPaused } from '../calls/call-provider.ts';
import { listProvidersWith } from '../providers/capabilities.ts';
import type { ProviderRow } from '../tables.ts';
import { askForAccounts, resolveAddresses } from './resolve-addresses.ts';

/** Time between two searches for the same text. */
const searchIntervalMs = 15 * 60_000;
/** How long its results are shown. */
const resultLifetimeMs = 86_400_000;
/** Seconds after which clients ask for the progress. */
const retrySeconds = 2;
const lengths = { min: 2, max: 200 };
const maxResults = 10;

const capability = 'account_search';
const normalize = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
const keyOf = (term: string): `account_search:${string}` =>
  `account_search:${createHash('sha256').update(term).digest('base64url')}`;

/**
 * Queues a search for accounts at the providers, unless there was one for this text lately. Only the text is sent to them.
 * Returns the header by which clients follow it while it is running, else none. Addresses and handles are never sent.
 */
export async function queueAccountSearch(app: App, text: string): Promise<Record<string, string>> {
  const term = normalize(text);
  if (term.length < lengths.min || term.length > lengths.max || /[@#]|:\/\//.test(term)) return {};
  const providers = await listProvidersWith(app, capability);
  if (providers.every((provider) => isPaused(app, provider))) return {};
  const key = keyOf(term);
  const refresh = await findRefresh(app, key);
  if (refresh?.isRunning === true) return refreshHeader(app, key, { retrySeconds, resultCount: refresh.resultCount });
  const minIntervalMs = searchIntervalMs;
  if (refresh !== undefined && app.clock.now().getTime() - refresh.startedAt.getTime() < minIntervalMs) return {};
  const isStarted = await transaction(app, async (tx) => {
    if (!(await startRefresh(tx, app, key, { countsResults: true, minIntervalMs }))) return false;
    tx.enqueue(searchAtProviders({ term }));
    return true;
  });
  return isStarted ? refreshHeader(app, key, { retrySeconds, resultCount: 0 }) : {};
}

/** Asks the providers for accounts, fetches those that are unknown, and finishes the refresh whatever happens. */
export const searchAtProviders = defineJob(
  'service_provider.search_accounts',
  Type.Object({ term: Type.String() }),
  async (app, { term }) => {
    const key = keyOf(term);
    try {
      const query = new URLSearchParams({ term, limit: String(maxResults) }).toString();
      const path = `/account_search/v0/search?${query}`;
      const answers = await askForAccounts(app, await listProvidersWith(app, capability), path);
      for (const [provider, addresses] of answers) {
        const { ids, newCount } = await resolveAddresses(app, addresses.slice(0, maxResults));
        await storeResults(app, provider, key, ids);
        await transaction(app, (tx) => countResults(tx, key, newCount));
      }
    } finally {
      await transaction(app, (tx) => finishRefresh(tx, app, key));
    }
  },
  'remote',
);

async function storeResults(app: App, { id }: ProviderRow, key: string, ids: readonly AccountId[]): Promise<void> {
  const now = app.clock.now();
  await transaction(app, async ({ db }) => {
    await sql`
      delete from service_provider_results
      where found_at < ${new Date(now.getTime() - resultLifetimeMs)}::timestamptz
        or (search_key = ${key} and provider_id = ${id}::bigint)`.execute(db);
    // The provider may have been deleted meanwhile.
    await sql`
      insert into service_provider_results (provider_id, search_key, account_id, place, found_at)
      select provider.id, ${key}, found.id, found.place, ${now}::timestamptz
      from service_providers provider,
        unnest(${ids}::bigint[]) with ordinality as found (id, place)
      where provider.id = ${id}::bigint
      on conflict do nothing`.execute(db);
  });
}

/**
 * Returns the discoverable accounts that the providers found for a text lately, best first, without those that the viewer
 * blocks or mutes or that block the viewer.
 */
export async function listProviderResults(app: App, viewerId: AccountId, text: string): Promise<AccountId[]> {
  const providers = await listProvidersWith(app, capability);
  if (providers.length === 0) return [];
  const { rows } = await sql<{ id: AccountId; domain: string | null }>`
    select a.id, a.domain from service_provider_results result join accounts a on a.id = result.account_id
    where result.search_key = ${keyOf(normalize(text))}
      and result.provider_id = any(${providers.map(({ id }) => id)}::bigint[])
      and a.discoverable and a.activated and a.suspended_at is null and a.silenced_at is null and a.deleted_at is null
    group by a.id, a.domain order by min(result.place), a.id`.execute(app.db);
  if (rows.length === 0) return [];
  const relations = await loadAccountRelations(app, viewerId);
  return rows
    .filter(
      ({ id, domain }) =>
        !isUnwanted(relations, id) && !relations.blockedBy.has(id) && !blocksDomain(relations, domain),
    )
    .map(({ id }) => id);
}
