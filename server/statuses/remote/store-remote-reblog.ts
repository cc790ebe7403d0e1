import { sql } from 'kysely';
import { loadInteractionPermission, remoteInteractionPermission } from '../../interactions/policy/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { idFromDate, type AccountId, type StatusId } from '../../platform/ids.ts';
import { findStatusRefByUri, type StatusRef } from './find-status.ts';
import { storeReblog } from '../react/insert-reblog.ts';
import { filterVisibleStatuses } from '../read/filter-visible-statuses.ts';
import { findReblog } from '../react/reblog-status.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import { publishBackfilled } from './publish-backfilled.ts';
import { staysHere } from '../visibility/visibility.ts';
import { clampPublishedAt } from './store-remote-status.ts';
import { writable, type Visibility } from '../tables.ts';

/** A received Announce. The caller has verified that `accountId` owns `uri`. */
export interface RemoteReblog {
  readonly uri: string;
  readonly accountId: AccountId;
  readonly reblogOfId: StatusId;
  readonly visibility: Visibility;
  readonly publishedAt: Date;
  /** Read from the outbox of the account, not delivered: no news. */
  readonly backfilled?: boolean | undefined;
}

const maxAttempts = 8;

/**
 * Stores the reblog of a remote account and returns its id. Idempotent; the uri of an undone reblog may be reused. Returns
 * undefined if the account may not see the status or its author does not permit the reblog, if the status is not public
 * or unlisted, or if another status has the uri.
 */
export async function storeRemoteReblog(app: App, remote: RemoteReblog): Promise<StatusId | undefined> {
  const { accountId, backfilled } = remote;
  const target = (await loadCachedStatuses(app, [remote.reblogOfId])).get(remote.reblogOfId);
  const reblogOfId = target?.reblogOfId ?? remote.reblogOfId;
  if ((await filterVisibleStatuses(app, accountId, [reblogOfId], 'saved')).length === 0) return undefined;
  const original = (await loadCachedStatuses(app, [reblogOfId])).get(reblogOfId);
  if (
    original === undefined ||
    original.visibility === 'private' ||
    original.visibility === 'direct' ||
    staysHere(original.visibility)
  )
    return undefined;
  if (!(await isReblogPermitted(app, accountId, original))) return undefined;
  const createdAt = clampPublishedAt(app, remote.publishedAt);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const id = idFromDate<'status'>(createdAt);
    const { uri, visibility } = remote;
    const reblog = {
      id,
      accountId,
      reblogOfId,
      uri,
      visibility,
      local: false,
      applicationId: null,
      createdAt,
      backfilled,
    };
    if (await storeReblog(app, reblog)) return id;
    const earlier = await findReblog(app, accountId, reblogOfId);
    if (earlier !== undefined) {
      if (backfilled !== true) await publishBackfilled(app, earlier);
      return earlier;
    }
    const holder = await findStatusRefByUri(app, remote.uri);
    if (holder !== undefined && !(await releaseUri(app, holder, accountId))) return undefined;
  }
  throw new Error(`found no unused id for ${remote.uri}`);
}

async function isReblogPermitted(app: App, accountId: AccountId, original: CachedStatus): Promise<boolean> {
  if (!original.local) return remoteInteractionPermission(accountId, original, 'reblog') !== 'denied';
  return (await loadInteractionPermission(app, accountId, original, 'reblog')) === 'automatic';
}

/** Frees the uri of an undone reblog of the account, whose row still exists. Returns false for any other status. */
async function releaseUri(app: App, { id }: StatusRef, accountId: AccountId): Promise<boolean> {
  const row = await transaction(app, ({ db }) =>
    writable(db)
      .updateTable('statuses')
      .set({ uri: sql`uri || '#undone/' || id` })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('reblog_of_id', 'is not', null)
      .where('deleted_at', 'is not', null)
      .returning('id')
      .executeTakeFirst(),
  );
  return row !== undefined;
}
