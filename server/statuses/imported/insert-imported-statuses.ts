import { sql } from 'kysely';
import { claimMediaForAll } from '../../media/attach/index.ts';
import type { Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { idFromDate, newId, type AccountId, type MediaId, type StatusId } from '../../platform/ids.ts';
import { storeRemotePoll, type RemotePoll } from '../../polls/index.ts';
import { cleanText, htmlToText, isTagName, normalizeTag, sanitizeHtml, truncateText } from '../../text/index.ts';
import { findLanguage } from '../../text/languages/index.ts';
import { buildReplyFields, type ReplyParent } from '../post/compose-status.ts';
import { createdEvent } from '../post/created-event.ts';
import { ensureTagsOfPosts } from '../post/ensure-tags-of-posts.ts';
import { insertStatuses, type NewStatus } from '../post/insert-status.ts';
import { statusUri } from '../post/urls.ts';
import { maxRemoteSpoilerLength, maxStatusTags } from '../remote/remote-limits.ts';
import { recordStoredMatches } from '../screening/record-stored-matches.ts';
import type { PlainVisibility } from '../tables.ts';
import { importedVisibility, isImported } from '../visibility/visibility.ts';

/** A status of a local account that it published elsewhere. */
export interface ImportedStatus {
  /** The web page of the original. */
  readonly url: string;
  /** Not yet sanitised. */
  readonly html: string;
  readonly spoilerText: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly visibility: PlainVisibility;
  /** Without `#`. */
  readonly tags: readonly string[];
  /** Up to four unattached files of the account that may be attached together. */
  readonly mediaIds: readonly MediaId[];
  readonly poll: RemotePoll | null;
  /** From 2006 to now. */
  readonly publishedAt: Date;
  readonly editedAt: Date | null;
  /** A status of `findReplyParents`, or the place of one in the same list; null: none is known. */
  readonly parent: ReplyParent | number | null;
  /** A reply, also if its parent is not known. */
  readonly isReply: boolean;
  /** What moderation rules do to it. */
  readonly verdict?: Verdict | undefined;
}

/**
 * Stores imported statuses of a local account, oldest first, and returns their ids, which carry the time of publication. They
 * are in profiles and threads, and nowhere else (docs/imported-posts.md): they mention nobody, and count in no number of
 * the account.
 */
export async function insertImportedStatuses(
  tx: Transaction,
  app: App,
  { id: accountId, uri: authorUri }: { readonly id: AccountId; readonly uri: string },
  imported: readonly ImportedStatus[],
): Promise<StatusId[]> {
  if (imported.length === 0) return [];
  const ids = await chooseIds(tx, imported);
  const tagNames = imported.map(({ tags }) => tags.filter(isTagName).slice(0, maxStatusTags));
  const tags = await ensureTagsOfPosts(
    tx,
    app,
    imported.map(({ visibility }, place) => ({
      visibility: importedVisibility(visibility),
      tagNames: tagNames[place] ?? [],
    })),
  );
  const statuses: NewStatus[] = [];
  for (const [place, post] of imported.entries()) {
    const id = ids[place];
    if (id === undefined) throw new Error('each status has an id');
    const parent = typeof post.parent === 'number' ? statuses[post.parent] : (post.parent ?? undefined);
    statuses.push({
      id,
      ...buildImportedStatus(accountId, post, parent),
      uri: statusUri(authorUri, id),
      tagIds: [...new Set((tagNames[place] ?? []).flatMap((name) => tags.get(normalizeTag(name)) ?? []))],
      pollId: post.poll === null ? null : newId<'poll'>(app.clock.now()),
    });
  }
  const claims = statuses.map(({ id: statusId, mediaIds }) => ({ accountId, statusId, mediaIds }));
  await claimMediaForAll(tx, app, claims);
  const stored = await insertStatuses(tx, statuses);
  if (stored.size < statuses.length) throw new Error('an imported status has the id of another one');
  for (const [place, { id: statusId, pollId }] of statuses.entries()) {
    const poll = imported[place]?.poll ?? null;
    if (poll !== null && pollId !== null)
      await storeRemotePoll(tx, app, { accountId, statusId, pollId, poll: { ...poll, closed: true } });
  }
  for (const [place, status] of statuses.entries()) {
    const verdict = imported[place]?.verdict;
    if (verdict !== undefined) await recordStoredMatches(tx, app, verdict, status);
  }
  // Without their links: a whole archive would fetch thousands of previews.
  for (const status of statuses) tx.emit(createdEvent(app, { ...status, content: '' }));
  return [...ids];
}

function buildImportedStatus(
  accountId: AccountId,
  post: ImportedStatus,
  parent: ReplyParent | undefined,
): Omit<NewStatus, 'id' | 'uri' | 'tagIds' | 'pollId'> {
  const content = sanitizeHtml(post.html);
  const spoilerText = truncateText(cleanText(post.spoilerText).trim(), maxRemoteSpoilerLength);
  const replyFields = buildReplyFields(accountId, parent);
  // The first post of a conversation decides who may read it: a post with an early date must not become the first of others.
  const joined = parent !== undefined && isImported(parent.visibility) ? parent.conversationId : null;
  return {
    accountId,
    url: post.url,
    local: true,
    text: htmlToText(content),
    contentType: 'text/plain',
    content,
    spoilerText,
    sensitive: post.sensitive || spoilerText !== '' || post.verdict?.marksSensitive === true,
    language: findLanguage(post.language ?? '') ?? null,
    visibility: importedVisibility(post.visibility),
    ...replyFields,
    isReply: parent === undefined ? post.isReply : replyFields.isReply,
    conversationId: joined ?? newId<'conversation'>(post.publishedAt),
    startsConversation: joined === null,
    applicationId: null,
    mediaIds: post.mediaIds,
    quotePolicy: 0,
    interactionPolicy: null,
    mentions: [],
    createdAt: post.publishedAt,
    editedAt: post.editedAt,
    backfilled: true,
  };
}

/** Chooses ids that no status has. Published times often have whole seconds, so random bits of one second may collide. */
async function chooseIds({ db }: Transaction, imported: readonly ImportedStatus[]): Promise<readonly StatusId[]> {
  const ids: StatusId[] = [];
  const taken = new Set<StatusId>();
  for (let open = imported.map((_, place) => place); open.length > 0;) {
    for (const place of open) ids[place] = idFromDate<'status'>(imported[place]?.publishedAt ?? new Date(0));
    const { rows } = await sql<{ id: StatusId }>`
      select id from statuses where id = any(${open.map((place) => ids[place])}::bigint[])`.execute(db);
    const used = new Set(rows.map(({ id }) => id));
    open = open.filter((place) => {
      const id = ids[place];
      if (id === undefined || used.has(id) || taken.has(id)) return true;
      taken.add(id);
      return false;
    });
  }
  return ids;
}
