import type { RemoteStatus } from './remote-status.ts';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { loadRules, type Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { idFromDate, type StatusId } from '../../platform/ids.ts';
import { cleanText, truncateText, sanitizeHtml } from '../../text/index.ts';
import { findLanguage } from '../../text/languages/index.ts';
import { findStatusRefByUri, findStatusByUri, type StatusRef } from './find-status.ts';
import type { NewStatus } from '../post/insert-status.ts';
import { screenRemotePost } from '../screening/screen-remote-post.ts';
import { heldAudience } from '../approval/held-reply.ts';
import { holdRemotePost } from '../held/hold-post.ts';
import { buildReplyFields } from '../post/compose-status.ts';
import type { PublishedHeldPost } from '../post/status-params.ts';
import { claimHeld, insertRemoteStatus } from './insert-remote-status.ts';
import { publishBackfilled } from './publish-backfilled.ts';
import { maxRemoteSpoilerLength } from './remote-limits.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import { staysHere } from '../visibility/visibility.ts';

const maxAttempts = 8;

/**
 * Stores a remote status and returns its id, which carries its published time. Idempotent by uri. Returns undefined if the
 * uri belongs to another account or to a deleted status, or if a moderation rule refuses or
 * holds it. `held`: the held post that is published.
 */
export async function storeRemoteStatus(
  app: App,
  remote: RemoteStatus,
  { held }: { readonly held?: PublishedHeldPost } = {},
): Promise<StatusId | undefined> {
  const status = buildRemoteStatus(app, remote, await findParent(app, remote));
  // Rules count what they match, so a stored post must not be compared again.
  const isScreened = held === undefined && (await loadRules(app, 'post', false)) !== undefined;
  const known = isScreened ? await findStatusRefByUri(app, remote.uri) : undefined;
  if (known !== undefined) return acceptStored(app, remote, known, held);
  const verdict = isScreened ? await screenRemotePost(app, remote, () => status) : undefined;
  if (verdict === 'refused') return undefined;
  if (verdict?.actions.has('hold') === true) return holdRemote(app, { remote, status, verdict });
  const sensitive = status.sensitive || verdict?.actions.has('sensitive') === true;
  // Published times often have whole seconds, so ids of the same second may collide.
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const withId = { ...status, sensitive, id: idFromDate<'status'>(status.createdAt) };
    const stored = await insertRemoteStatus(app, { remote, status: withId, verdict, held });
    if (stored !== undefined) return stored;
    const holder = await findStatusRefByUri(app, remote.uri);
    if (holder !== undefined) return acceptStored(app, remote, holder, held);
  }
  throw new Error(`found no unused id for ${remote.uri}`);
}

/** Returns the id of the status that has the uri; undefined if it is deleted or belongs to another account. */
async function acceptStored(
  app: App,
  { accountId, backfilled: isBackfill }: RemoteStatus,
  { id, account_id: ownerId, deleted, backfilled }: StatusRef,
  held: PublishedHeldPost | undefined,
): Promise<StatusId | undefined> {
  if (ownerId !== accountId || deleted) return undefined;
  if (backfilled && isBackfill !== true) await publishBackfilled(app, id);
  // An edit that no rule held was stored meanwhile.
  if (held !== undefined) await transaction(app, (tx) => claimHeld(tx, app, held, id));
  return id;
}

async function holdRemote(
  app: App,
  post: { readonly remote: RemoteStatus; readonly status: NewStatus; readonly verdict: Verdict },
): Promise<undefined> {
  const { accountId } = post.remote;
  const author = (await loadCachedAccounts(app, [accountId])).get(accountId);
  await holdRemotePost(app, { ...post, domain: author?.domain ?? null });
}

/** Returns the status as it would be stored, without what the transaction adds: its media, poll, tags and conversation. */
export function buildRemoteStatus(app: App, remote: RemoteStatus, parent: CachedStatus | undefined): NewStatus {
  const createdAt = clampPublishedAt(app, remote.publishedAt);
  const { updatedAt: updated } = remote;
  const mentions = new Map((remote.mentions ?? []).map(({ accountId, silent }) => [accountId, silent === true]));
  const allMentions = [...mentions].map(([accountId, silent]) => ({ accountId, silent }));
  const replyFields = buildReplyFields(remote.accountId, parent);
  const hasParent = isNonEmpty(remote.inReplyToUri) || isNonEmpty(remote.inReplyToId);
  return {
    id: idFromDate<'status'>(createdAt),
    accountId: remote.accountId,
    uri: remote.uri,
    url: isWebUrl(remote.url) ? remote.url : null,
    local: false,
    text: '',
    contentType: 'text/plain',
    content: sanitizeHtml(remote.content),
    ...buildRemoteTextFields(remote),
    visibility: remote.visibility,
    ...replyFields,
    isReply: parent === undefined ? hasParent : replyFields.isReply,
    applicationId: null,
    mediaIds: [],
    pollId: null,
    quotePolicy: remote.quotePolicy ?? 0,
    interactionPolicy: remote.interactionPolicy ?? null,
    mentions: allMentions,
    tagIds: [],
    collectionUris: remote.collectionUris,
    createdAt,
    backfilled: remote.backfilled,
    editedAt: updated !== undefined && updated > remote.publishedAt ? clampPublishedAt(app, updated) : null,
    ...buildApproval(remote, parent, allMentions),
  };
}

/** Returns the request for a reply to a local status that needs one, and its audience while it waits. */
function buildApproval(
  { approval, visibility }: RemoteStatus,
  parent: CachedStatus | undefined,
  mentions: NewStatus['mentions'],
): Pick<NewStatus, 'heldReply' | 'provenReply'> & Partial<Pick<NewStatus, 'visibility' | 'mentions'>> {
  if (approval === undefined || parent === undefined) return {};
  const { state, ...ids } = approval;
  const reply = { statusId: parent.id, authorId: parent.accountId, visibility, mentions, ...ids };
  return state === 'accepted' ? { provenReply: reply } : { ...heldAudience(reply), heldReply: reply };
}

/** Returns the content warning and the language as they are stored. */
export function buildRemoteTextFields(
  remote: Pick<RemoteStatus, 'spoilerText' | 'sensitive' | 'language'>,
): Pick<NewStatus, 'spoilerText' | 'sensitive' | 'language'> {
  const spoilerText = truncateText(cleanText(remote.spoilerText ?? '').trim(), maxRemoteSpoilerLength);
  return {
    spoilerText,
    sensitive: remote.sensitive === true || spoilerText !== '',
    language: findLanguage(remote.language ?? '') ?? null,
  };
}

async function findParent(app: App, { inReplyToId, inReplyToUri }: RemoteStatus): Promise<CachedStatus | undefined> {
  if (isNonEmpty(inReplyToId)) return (await loadCachedStatuses(app, [inReplyToId])).get(inReplyToId);
  const found = isNonEmpty(inReplyToUri) ? await findStatusByUri(app, inReplyToUri) : undefined;
  return found === undefined || found.reblogOfId !== null || staysHere(found.visibility) ? undefined : found;
}

/** Limits a published time to the range from 1970 to now. Returns now if it is invalid. */
export function clampPublishedAt(app: App, date: Date): Date {
  const now = app.clock.now();
  const time = date.getTime();
  if (Number.isNaN(time) || time > now.getTime()) return now;
  return time < 0 ? new Date(0) : date;
}

const isNonEmpty = <Text extends string>(value: Text | null | undefined): value is Text =>
  value !== undefined && value !== null && value !== '';

function isWebUrl(url: string | null | undefined): url is string {
  return isNonEmpty(url) && URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}
