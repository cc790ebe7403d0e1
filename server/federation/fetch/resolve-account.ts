import { defineJob } from '../../platform/work/define-job.ts';
import { later } from '../../platform/write/reactions.ts';
import { Type } from 'typebox';
import { accountViewed } from '../../accounts/index.ts';
import { findAccount, findAccountByAcct, parseHandle, type AccountRow } from '../../accounts/find/index.ts';
import { isOutdated } from '../../accounts/remote/index.ts';
import type { App } from '../../platform/app.ts';
import { Cache } from '../../platform/caching/cache.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { StoredFetchBudget, withFetchBudget } from '../../platform/outgoing/fetch-budget.ts';
import { remoteUnavailable } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { isActor } from '../documents/parse-actor.ts';
import { hostOf, isHttpUrl } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { collectionsRefreshRequested } from '../events.ts';
import { findAccountByAddress } from '../find-account-by-address.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { defineFlight } from './single-flight.ts';
import { loadCollectionsStale } from './stale-collections.ts';
import { storeActor } from './store-actor.ts';
import { parseRemoteHandle, fetchWebfinger } from './webfinger.ts';

export const actorFlight = defineFlight<AccountId>('federation.actor_failures');
export const handleFlight = defineFlight<AccountId>('federation.handle_failures');

/**
 * Returns the account with this handle (`name@domain`) or actor id. Fetches it if it is unknown or `fresh` is set; a
 * stored account is returned however old it is. Returns undefined if it does not exist or cannot be fetched. With
 * `throwIfUnavailable`, throws 503 if the server does not answer. With `throwIfOverBudget`, throws the FetchError of a
 * used-up budget, for callers that store or share their result.
 */
export async function resolveAccount(
  app: App,
  handleOrUri: string,
  options: { fresh?: boolean; throwIfUnavailable?: boolean; throwIfOverBudget?: boolean } = {},
): Promise<AccountId | undefined> {
  try {
    return isHttpUrl(handleOrUri)
      ? await resolveByUri(app, handleOrUri, options.fresh)
      : await resolveByHandle(app, handleOrUri, options.fresh);
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
    app.log.debug({ err: error, handleOrUri }, 'an account could not be resolved');
    if (options.throwIfOverBudget === true && error instanceof FetchError && error.overBudget) throw error;
    if (options.throwIfUnavailable === true && error instanceof FetchError && error.temporary)
      throw remoteUnavailable();
    return undefined;
  }
}

/**
 * Fetches an actor from its origin and stores it, one fetch at a time per actor. Throws a FetchError or DocumentError.
 * `isUpdate`: the actor sent a signed Update without the document.
 */
export function fetchActor(
  app: App,
  uri: string,
  { fresh = false, isUpdate = false }: { fresh?: boolean; isUpdate?: boolean } = {},
): Promise<AccountId> {
  return actorFlight(
    app,
    uri,
    async () => {
      const document = await fetchObject(app, uri);
      if (!isActor(document)) throw new DocumentError(`${uri} is not an actor`);
      return storeActor(app, document, { isUpdate });
    },
    fresh,
  );
}

async function resolveByUri(app: App, uri: string, fresh = false): Promise<AccountId | undefined> {
  const host = hostOf(uri);
  if (host === undefined) return undefined;
  const existing = await findAccountByAddress(app, uri);
  if (host === app.config.webDomain || (existing !== undefined && !fresh)) return existing?.id;
  return fetchActor(app, uri, { fresh });
}

async function resolveByHandle(app: App, acct: string, fresh = false): Promise<AccountId | undefined> {
  const handle = parseHandle(app, acct);
  if (handle === undefined) return undefined;
  const existing = await findAccountByAcct(app, acct);
  if (handle.domain === null || (existing !== undefined && !fresh)) return existing?.id;
  if (await isBlockedDomain(app, handle.domain)) return undefined;
  const remote = parseRemoteHandle(acct);
  if (remote === undefined) return undefined;
  return handleFlight(
    app,
    `${remote.username.toLowerCase()}@${remote.domain}`,
    async () => {
      const { actorUri } = await fetchWebfinger(app, remote);
      const id = await resolveByUri(app, actorUri, fresh || existing === undefined);
      if (id === undefined) throw new FetchError(`${acct} is not an account that can be reached`);
      return id;
    },
    fresh,
  );
}

/** Fetches a remote account again if that last happened more than a day ago. Changes nothing if its server is down. */
async function refreshIfStale(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  const account = await findAccount(app, accountId);
  if (account !== undefined && isStale(app, account)) await resolveAccount(app, account.uri, { fresh: true });
}

/** Refreshes a stale account after it sent an activity. */
export const refreshAccount = defineJob(
  'account.refresh_actor',
  Type.Object({ accountId: idSchema<'account'>() }),
  refreshIfStale,
  'remote',
);

/**
 * Refreshes an account after a user viewed it, and fetches its collections if they are stale. Uses the same fetch
 * budget as one received activity.
 */
export const refreshViewedAccount = later('remote', [accountViewed], {
  name: 'account.refresh_viewed_actor',
  run: async (root, { accountId }) => {
    const app = withFetchBudget(root, new StoredFetchBudget(root));
    await refreshIfStale(app, { accountId });
    await transaction(app, async (tx) => {
      if (await loadCollectionsStale(tx, app, accountId)) tx.emit(collectionsRefreshRequested({ accountId }));
    });
  },
});

function isStale(app: App, { domain, fetched_at: fetchedAt }: Pick<AccountRow, 'domain' | 'fetched_at'>): boolean {
  return domain !== null && isOutdated(app, fetchedAt);
}

export const recentRefreshes = new Cache<AccountId, true>({
  name: 'federation.recent_actor_refreshes',
  maxSize: 20_000,
  ttlMs: 3_600_000,
});

/** Queues a refresh of an account that was last fetched more than a day ago. No-op if it was queued within the hour. */
export async function enqueueRefreshIfStale(
  app: App,
  account: Pick<AccountRow, 'id' | 'domain' | 'fetched_at'>,
): Promise<void> {
  if (!isStale(app, account) || recentRefreshes.peek(app, account.id) !== undefined) return;
  recentRefreshes.set(app, account.id, true);
  await transaction(app, async ({ enqueue }) =>
    enqueue(
      refreshAccount(
        { accountId: account.id },
        { key: `refresh-account ${account.id}`, ...(account.domain !== null && { host: account.domain }) },
      ),
    ),
  );
}
