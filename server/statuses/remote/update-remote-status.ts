import { quotePolicyChanged, statusChanged } from '../events.ts';
import { sql } from 'kysely';
import { isReplyPending } from '../../interactions/requests/index.ts';
import {
  insertRemoteMedia,
  prepareRemoteMedia,
  type PreparedRemoteMedia,
  type RemoteMedia,
} from '../../media/remote/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { MediaId, StatusId } from '../../platform/ids.ts';
import { pollRefreshed, updateRemotePoll } from '../../polls/index.ts';
import { sanitizeHtml } from '../../text/index.ts';
import { findStatusRefByUri } from './find-status.ts';
import { maxStatusTags } from './remote-limits.ts';
import { storeOriginCounts } from './store-origin-counts.ts';
import { storeArticle } from './store-article.ts';
import { updateRemoteQuote } from './remote-quotes.ts';
import { ensureTagsOfPosts } from '../post/ensure-tags-of-posts.ts';
import { storeFirstVersion, lockStatus, storeEdit, UnchangedError, type StoredStatus } from '../edit/store-edit.ts';
import { screenRemotePost } from '../screening/screen-remote-post.ts';
import { writable } from '../tables.ts';
import { buildRemoteStatus, buildRemoteTextFields, clampPublishedAt } from './store-remote-status.ts';
import type { RemoteStatus } from './remote-status.ts';

/**
 * Updates a known remote status and returns its id. A newer version is stored as an edit (STA-11). The counts of the poll,
 * the quote and the policies are updated in any case; the visibility and the parent never are. Returns undefined if
 * `accountId` has no status with this uri. The caller has verified that `accountId` owns `uri`.
 */
export async function updateRemoteStatus(app: App, remote: RemoteStatus): Promise<StatusId | undefined> {
  const holder = await findStatusRefByUri(app, remote.uri);
  if (holder === undefined || holder.deleted || holder.account_id !== remote.accountId) return undefined;
  const { id } = holder;
  const { accountId, counts, poll } = remote;
  // Of a refused edit, the version before stays.
  if (await isRefusedEdit(app, remote)) return id;
  try {
    await transaction(app, async (tx) => {
      const status = await lockStatus(tx, id);
      if (status !== undefined && !status.local) await applyRemoteEdit(tx, app, status, remote);
    });
  } catch (error) {
    if (!(error instanceof UnchangedError)) throw error;
  }
  await transaction(app, async (tx) => {
    const status = await lockStatus(tx, id);
    if (status === undefined || status.local || isStaleEdit(status, remote)) return;
    await updateRemoteQuote(tx, app, { statusId: id, accountId }, remote.quote);
    await updatePolicies(tx, status, remote);
  });
  // On its own, because replies lock the counters before the status.
  if (counts !== undefined) await storeOriginCounts(app, [{ statusId: id, counts }]);
  if (poll === undefined) return id;
  await transaction(app, async (tx) => {
    const status = await lockStatus(tx, id);
    if (status === undefined || status.local || isStaleEdit(status, remote)) return;
    const { pollId, isChanged } = await updateRemotePoll(tx, app, { accountId, statusId: id, poll });
    tx.emit(statusChanged({ statusId: id }));
    if (isChanged) tx.emit(pollRefreshed({ pollId, statusId: id, accountId }));
  });
  return id;
}

async function isRefusedEdit(app: App, remote: RemoteStatus): Promise<boolean> {
  if (remote.updatedAt === undefined) return false;
  const build = () => buildRemoteStatus(app, remote, undefined);
  return (await screenRemotePost(app, remote, build, { isEdit: true })) === 'refused';
}

/** Whether the received version is older than the stored one. */
const isStaleEdit = (status: StoredStatus, { updatedAt }: RemoteStatus): boolean =>
  status.edited_at !== null && (updatedAt === undefined || updatedAt.getTime() < status.edited_at.getTime());

/** Whether the received version is an edit. Of two edits in the same second, the one received last counts. */
const isNewerEdit = ({ edited_at: edited, created_at: created }: StoredStatus, updatedAt: Date): boolean =>
  edited === null ? updatedAt > created : updatedAt >= edited;

async function updatePolicies(tx: Transaction, status: StoredStatus, remote: RemoteStatus): Promise<void> {
  const { quotePolicy = 0, interactionPolicy = null } = remote;
  if (status.quote_policy === quotePolicy && status.interaction_policy === interactionPolicy) return;
  const policies = { quote_policy: quotePolicy, interaction_policy: interactionPolicy };
  await writable(tx.db).updateTable('statuses').set(policies).where('id', '=', status.id).execute();
  tx.emit(statusChanged({ statusId: status.id }));
  tx.emit(quotePolicyChanged({ statusId: status.id, accountId: status.account_id, local: false }));
}

async function applyRemoteEdit(tx: Transaction, app: App, status: StoredStatus, remote: RemoteStatus): Promise<void> {
  if (remote.updatedAt === undefined || !isNewerEdit(status, remote.updatedAt)) return;
  await storeFirstVersion(tx, app, status.id);
  await updateRemoteQuote(tx, app, { statusId: status.id, accountId: status.account_id }, remote.quote);
  const editedAt = clampPublishedAt(app, remote.updatedAt);
  const mediaIds = await storeEditedMedia(tx, app, status, remote.attachments ?? []);
  const tagNames = remote.tags?.slice(0, maxStatusTags) ?? [];
  const tags = await ensureTagsOfPosts(tx, app, [{ visibility: status.visibility, tagNames }]);
  const { spoilerText, sensitive, language } = buildRemoteTextFields(remote);
  const content = sanitizeHtml(remote.content);
  const { accountId, poll } = remote;
  const updatedPoll =
    poll === undefined ? undefined : await updateRemotePoll(tx, app, { accountId, statusId: status.id, poll });
  const isSame =
    !(await storeArticle(tx, status.id, remote.article)) &&
    updatedPoll?.isOther !== true &&
    content === status.content &&
    spoilerText === status.spoiler_text &&
    sensitive === status.sensitive &&
    language === status.language &&
    mediaIds.join() === status.media_ids.join();
  if (isSame) throw new UnchangedError();
  const mentions = new Map((remote.mentions ?? []).map(({ accountId, silent }) => [accountId, silent === true]));
  const isHeld = status.visibility === 'direct' && (await isReplyPending(tx, status.id));
  await storeEdit(tx, app, status, {
    text: '',
    contentType: 'text/plain',
    content,
    spoilerText,
    sensitive,
    language,
    mediaIds,
    pollId: updatedPoll?.pollId ?? status.poll_id,
    editedAt,
    // Others do not see a reply that waits for the author of its parent.
    mentions: isHeld ? [] : [...mentions].map(([accountId, silent]) => ({ accountId, silent })),
    tagIds: [...new Map(tags).values()],
    collectionUris: remote.collectionUris,
  });
}

/** Stores the attachments of an edit. Unchanged ones keep their rows, and removed ones stay for the history. */
async function storeEditedMedia(
  tx: Transaction,
  app: App,
  status: StoredStatus,
  attachments: readonly RemoteMedia[],
): Promise<MediaId[]> {
  const existing = await tx.db
    .selectFrom('media_attachments')
    .select(['id', 'remote_url', 'description'])
    .where(sql<boolean>`id = any(${status.media_ids}::bigint[])`)
    .execute();
  const added: PreparedRemoteMedia[] = [];
  const ids = attachments.flatMap((attachment) => {
    const same = existing.find(
      ({ remote_url, description }) =>
        remote_url === attachment.url && (description ?? '') === (attachment.description ?? '').trim(),
    );
    if (same !== undefined) return [same.id];
    const media = prepareRemoteMedia(app, status.account_id, [attachment], status.id);
    added.push(...media);
    return media.map(({ id }) => id);
  });
  await insertRemoteMedia(tx, added);
  return [...new Set(ids)];
}
