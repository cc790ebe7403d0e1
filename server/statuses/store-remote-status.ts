import { storeRemoteMedia, type RemoteMedia } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import { idFromDate, newId, type AccountId, type ConversationId, type StatusId } from '../platform/ids.ts';
import { storeRemotePoll, type RemotePoll } from '../polls/index.ts';
import { ensureTags } from '../tags/index.ts';
import { cleanText, truncateText, isLanguage, sanitizeHtml } from '../text/index.ts';
import { statusCreated } from './events.ts';
import { findStatusRefByUri, findStatusByUri } from './find-status.ts';
import { insertStatus, type NewStatus } from './insert-status.ts';
import { buildReplyFields } from './compose-status.ts';
import { maxRemoteSpoilerLength } from './remote-limits.ts';
import { storeRemoteQuote, type RemoteQuote } from './remote-quotes.ts';
import type { CachedStatus } from './cached-status.ts';
import { loadCachedStatuses } from './status-cache.ts';
import type { Visibility } from './tables.ts';

/** A post of another server. Who calls has made sure that `accountId` may speak for `uri`. */
export interface RemoteStatus {
  readonly uri: string;
  /** Its page for people. */
  readonly url?: string | null | undefined;
  readonly accountId: AccountId;
  /** HTML as it came; it is sanitised here. */
  readonly content: string;
  /** Plain text. */
  readonly spoilerText?: string | null | undefined;
  readonly sensitive?: boolean | undefined;
  readonly language?: string | null | undefined;
  readonly visibility: Visibility;
  readonly inReplyToId?: StatusId | null | undefined;
  /** Looked up here when `inReplyToId` is not given; what is not known stays a reply to somebody else. */
  readonly inReplyToUri?: string | null | undefined;
  readonly conversationUri?: string | null | undefined;
  /** Known accounts; the silent ones are addressed without being named. */
  readonly mentions?: readonly { readonly accountId: AccountId; readonly silent?: boolean }[] | undefined;
  /** With or without `#`. */
  readonly tags?: readonly string[] | undefined;
  /** Ids of collections that it names beside the links of its content. */
  readonly collectionUris?: readonly string[] | undefined;
  readonly attachments?: readonly RemoteMedia[] | undefined;
  readonly poll?: RemotePoll | undefined;
  readonly quote?: RemoteQuote | undefined;
  /** Who may quote it, as `storedPolicy` makes it; nobody when left out. */
  readonly quotePolicy?: number | undefined;
  /** When its author last edited it. */
  readonly updatedAt?: Date | undefined;
  /** A moment in the future counts as now. */
  readonly publishedAt: Date;
}

/** Another status has the uri, or, by chance, the id. */
class UriOrIdTakenError extends Error {
  override name = 'UriOrIdTakenError';
}

const maxAttempts = 8;
/** Hashtags of one post. */
export const maxStatusTags = 100;

/**
 * Stores a post of another server, once for each uri, with an id at its published time; gives its id, also when it was
 * here already. Undefined when the uri is another account's, or of a status that was deleted here.
 */
export async function storeRemoteStatus(app: App, remote: RemoteStatus): Promise<StatusId | undefined> {
  const parent = await findParent(app, remote);
  // Published times often have whole seconds, so that ids of the same second may meet.
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const holder = await findStatusRefByUri(app, remote.uri);
    if (holder !== undefined) return holder.account_id === remote.accountId && !holder.deleted ? holder.id : undefined;
    const stored = await tryInsert(app, remote, parent);
    if (stored !== undefined) return stored;
  }
  throw new Error(`no id is free for ${remote.uri}`);
}

async function tryInsert(
  app: App,
  remote: RemoteStatus,
  parent: CachedStatus | undefined,
): Promise<StatusId | undefined> {
  const status = buildRemoteStatus(app, remote, parent);
  try {
    return await transaction(app, async (tx) => {
      const { accountId, attachments = [], tags = [] } = remote;
      const mediaIds =
        attachments.length === 0 ? [] : await storeRemoteMedia(tx, app, accountId, attachments, status.id);
      const known = tags.length === 0 ? [] : await ensureTags(tx, tags.slice(0, maxStatusTags), app.clock.now());
      const conversationId = status.conversationId ?? (await findOrCreateConversation(tx, app, remote.conversationUri));
      const tagIds = [...new Map(known).values()];
      const { id: statusId } = status;
      const pollId =
        remote.poll === undefined ? null : await storeRemotePoll(tx, app, { accountId, statusId, poll: remote.poll });
      const whole = { ...status, mediaIds, pollId, tagIds, conversationId };
      if (!(await insertStatus(tx, whole))) throw new UriOrIdTakenError();
      if (remote.quote !== undefined) await storeRemoteQuote(tx, app, { statusId, accountId }, remote.quote);
      tx.emit(statusCreated({ statusId: status.id, accountId, local: false, direct: status.visibility === 'direct' }));
      return status.id;
    });
  } catch (error) {
    if (error instanceof UriOrIdTakenError) return undefined;
    throw error;
  }
}

function buildRemoteStatus(app: App, remote: RemoteStatus, parent: CachedStatus | undefined): NewStatus {
  const createdAt = clampPublishedAt(app, remote.publishedAt);
  const { updatedAt: updated } = remote;
  const mentions = new Map((remote.mentions ?? []).map(({ accountId, silent }) => [accountId, silent === true]));
  const place = buildReplyFields(remote.accountId, parent);
  const answers = isNonEmpty(remote.inReplyToUri) || isNonEmpty(remote.inReplyToId);
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
    ...place,
    isReply: parent === undefined ? answers : place.isReply,
    applicationId: null,
    mediaIds: [],
    pollId: null,
    quotePolicy: remote.quotePolicy ?? 0,
    mentions: [...mentions].map(([accountId, silent]) => ({ accountId, silent })),
    tagIds: [],
    collectionUris: remote.collectionUris,
    createdAt,
    editedAt: updated !== undefined && updated > remote.publishedAt ? clampPublishedAt(app, updated) : null,
  };
}

/** The warning and language of a post, as they are stored. */
export function buildRemoteTextFields(
  remote: Pick<RemoteStatus, 'spoilerText' | 'sensitive' | 'language'>,
): Pick<NewStatus, 'spoilerText' | 'sensitive' | 'language'> {
  const spoilerText = truncateText(cleanText(remote.spoilerText ?? '').trim(), maxRemoteSpoilerLength);
  return {
    spoilerText,
    sensitive: remote.sensitive === true || spoilerText !== '',
    language: isNonEmpty(remote.language) && isLanguage(remote.language) ? remote.language : null,
  };
}

async function findParent(app: App, { inReplyToId, inReplyToUri }: RemoteStatus): Promise<CachedStatus | undefined> {
  if (isNonEmpty(inReplyToId)) return (await loadCachedStatuses(app, [inReplyToId])).get(inReplyToId);
  const found = isNonEmpty(inReplyToUri) ? await findStatusByUri(app, inReplyToUri) : undefined;
  return found?.reblogOfId == null ? found : undefined;
}

/** The conversation of this uri, begun now if it is new; null for a post that names none. */
async function findOrCreateConversation(
  { db }: Transaction,
  app: App,
  uri: string | null | undefined,
): Promise<ConversationId | null> {
  if (!isNonEmpty(uri)) return null;
  const now = app.clock.now();
  const { id } = await db
    .insertInto('conversations')
    .values({ id: newId<'conversation'>(now), uri, created_at: now })
    // Changes nothing, but gives the row that is there.
    .onConflict((conflict) => conflict.column('uri').doUpdateSet({ uri }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A published time as it is believed: not before 1970, not in the future, now when it is unreadable. */
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
