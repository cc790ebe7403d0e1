import { sql } from 'kysely';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { needsProof } from '../../interactions/policy/index.ts';
import { withdrawRequest, type InteractionRequestId } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { validationFailed, notFound } from '../../platform/http/http-errors.ts';
import { newId, type AccountId, type ApplicationId, type StatusId } from '../../platform/ids.ts';
import { loadUserSettings } from '../../users/settings/index.ts';
import { holdReaction } from '../approval/hold-reaction.ts';
import { notPermittedError, requirePermission } from './require-permission.ts';
import { assertNotBlocking } from './assert-not-blocking.ts';
import { storeReblog, undoReblog, type NewReblog } from './insert-reblog.ts';
import { requireVisibleOriginal } from '../read/filter-visible-statuses.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { resolveOriginalId } from '../read/status-cache.ts';
import type { Visibility } from '../tables.ts';
import { reblogUri } from '../post/urls.ts';
import {
  isImported,
  isLocalOnly,
  localVisibility,
  plainVisibility,
  visibilityToOthers,
} from '../visibility/visibility.ts';

const reblogOf = batchedQuery<{ id: StatusId }>()<{ accountId: AccountId; originalId: StatusId }>(
  { accountId: 'bigint', originalId: 'bigint' },
  ({ accountId, originalId }) => sql`
    select id from statuses
    where account_id = ${accountId} and reblog_of_id = ${originalId} and reblog_of_id is not null
      and deleted_at is null`,
  { batchSize: 128 },
);

/** Returns the id of an account's reblog of a status. */
export async function findReblog(app: App, accountId: AccountId, originalId: StatusId): Promise<StatusId | undefined> {
  return (await reblogOf(app, { accountId, originalId }))[0]?.id;
}

/**
 * Reblogs a status as the local account `accountId` and returns the id of the reblog, or that of the status if the reblog
 * waits for its author. Idempotent. Throws 404 if the
 * account may not see the status, 403 if it blocks the author or the author does not permit it, 422 for private and
 * direct statuses, even its own (STA-12), and for imported ones. That of a local-only status is local-only.
 */
export async function reblogStatus(
  app: App,
  accountId: AccountId,
  statusId: StatusId,
  options: { visibility?: Exclude<Visibility, 'direct'> | undefined; applicationId?: ApplicationId | undefined } = {},
): Promise<StatusId> {
  const original = await requireVisibleOriginal(app, accountId, statusId);
  await assertNotBlocking(app, accountId, original.accountId);
  if (['private', 'direct'].includes(plainVisibility(original.visibility))) {
    throw validationFailed('statuses.boostPrivate');
  }
  if (isImported(original.visibility)) throw validationFailed('statuses.boostImported');
  const earlier = await findReblog(app, accountId, original.id);
  if (earlier !== undefined) return earlier;
  const permission = await requirePermission(app, accountId, original, 'reblog');
  const [accounts, visibility] = await Promise.all([
    loadCachedAccounts(app, [accountId]),
    options.visibility ?? preferredVisibility(app, accountId),
  ]);
  const account = accounts.get(accountId);
  if (account === undefined) throw notFound();
  const createdAt = app.clock.now();
  const id = newId<'status'>(createdAt);
  const reblog = {
    id,
    accountId,
    reblogOfId: original.id,
    uri: reblogUri(account.uri, id),
    local: true,
    visibility: visibilityToOthers(
      isLocalOnly(original.visibility) ? localVisibility(visibility) : visibility,
      account,
    ),
    applicationId: options.applicationId ?? null,
    createdAt,
  };
  if (permission === 'manual' || needsProof(original, accountId, 'reblog')) {
    const state = await holdReblog(app, original, reblog, permission);
    if (state === 'rejected') throw notPermittedError('reblog');
    if (state === 'pending') return original.id;
  }
  if (await storeReblog(app, reblog)) return id;
  const first = await findReblog(app, accountId, original.id);
  if (first === undefined) throw notFound();
  return first;
}

async function preferredVisibility(app: App, accountId: AccountId): Promise<Exclude<Visibility, 'direct'>> {
  const { default_privacy: privacy } = await loadUserSettings(app, accountId);
  return privacy === 'direct' ? 'private' : privacy;
}

/** Stores a request for a reblog. If a local author permits it, it is accepted at once and only proves that to other servers. */
function holdReblog(
  app: App,
  original: CachedStatus,
  { id, accountId, uri, visibility }: NewReblog,
  permission: 'automatic' | 'manual',
): Promise<'pending' | 'accepted' | 'rejected'> {
  const held = { id: id as string as InteractionRequestId, kind: 'reblog', accountId, uri, visibility } as const;
  return holdReaction(app, original, held, permission === 'automatic' && original.local ? 'accepted' : 'pending');
}

/**
 * Undoes the reblog of a status, even if the account may no longer see the status (STA-13). `statusId` is the status or
 * the reblog. Returns false if there was none.
 */
export async function unreblogStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<boolean> {
  const reblogOfId = await resolveOriginalId(app, statusId);
  const id = await findReblog(app, accountId, reblogOfId);
  if (id === undefined)
    return transaction(app, (tx) => withdrawRequest(tx, { accountId, statusId: reblogOfId, kind: 'reblog' }));
  return undoReblog(app, { id, accountId, reblogOfId });
}
