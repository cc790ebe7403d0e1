import { loadCachedAccounts, type CachedAccount } from '../../accounts/present/index.ts';
import { requireAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { forbidden, notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';
import { loadFeatureApprovals } from '../../relationships/read/index.ts';

/**
 * Returns the accounts that `ownerId` may add to a collection: their policy allows it, with or without approval, neither
 * side blocks the other, and they are not suspended.
 */
export async function loadFeaturableAccounts(
  app: App,
  ownerId: AccountId,
  ids: readonly AccountId[],
): Promise<Map<AccountId, CachedAccount>> {
  const bodies = await loadCachedAccounts(app, [ownerId, ...ids]);
  const owner = bodies.get(ownerId);
  const requestedIds = new Set(ids);
  const candidates = [...bodies.values()].filter(
    ({ id, activated, suspended }) => requestedIds.has(id) && activated && !suspended,
  );
  const [approvals, relations] = await Promise.all([
    loadFeatureApprovals(app, { accountId: ownerId }, candidates),
    loadAccountRelations(app, ownerId),
  ]);
  const found = new Map<AccountId, CachedAccount>();
  for (const body of candidates) {
    const approval = approvals.get(body.id);
    if (approval !== 'automatic' && approval !== 'manual') continue;
    if (relations.blocking.has(body.id) || relations.blockedBy.has(body.id)) continue;
    if (owner?.domain != null && (await loadAccountRelations(app, body.id)).blockedDomains.has(owner.domain)) continue;
    found.set(body.id, body);
  }
  return found;
}

/** Returns the accounts to feature. Throws 404 for an unknown one, 403 for one that may not be featured. */
export async function requireFeaturableAccounts(
  app: App,
  ownerId: AccountId,
  ids: readonly AccountId[],
): Promise<CachedAccount[]> {
  const bodies = await loadCachedAccounts(app, ids);
  if (ids.some((id) => bodies.get(id)?.activated !== true)) throw notFound();
  const allowed = await loadFeaturableAccounts(app, ownerId, ids);
  return ids.map((id) => {
    const body = allowed.get(id);
    if (body === undefined) throw forbidden('collections.notFeaturable');
    return body;
  });
}

/** Returns whether a remote account may add a local one to a collection. */
export async function canFeature(app: App, ownerId: AccountId, memberId: AccountId): Promise<boolean> {
  await requireAccount(app, memberId);
  return (await loadFeaturableAccounts(app, ownerId, [memberId])).has(memberId);
}
