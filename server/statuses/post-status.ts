import { accountBodies } from '../accounts/index.ts';
import { claimMedia } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { defineCrowdWrite } from '../platform/database/crowd-write.ts';
import type { Write } from '../platform/database/write.ts';
import { notFound } from '../platform/http/problems.ts';
import { compareIds, newId, type AccountId, type ApplicationId, type StatusId, type TagId } from '../platform/ids.ts';
import { createPoll, readPoll, type PollInput, type WantedPoll } from '../polls/index.ts';
import { insertQuote, policyOfChoice } from '../quotes/index.ts';
import { relationsOf } from '../relationships/index.ts';
import { ensureTags } from '../tags/index.ts';
import { normalizeTag, type ContentType } from '../text/index.ts';
import { userSettings, type QuotePolicy } from '../users/index.ts';
import { mentionsLeftOpen, statusPosted } from './events.ts';
import { statusOfKey, takeKeys } from './idempotency.ts';
import { insertStatuses, type NewStatus } from './insert-status.ts';
import { requireVisibleOriginal } from './keep-visible.ts';
import { noteUntouchedAfter } from './overlays.ts';
import {
  checkPrivateQuote,
  newQuote,
  holdQuotable,
  notQuotable,
  requireQuotable,
  visibilityOfQuoting,
  withQuoteLink,
} from './quote-status.ts';
import { readPost, type PostedText } from './read-post.ts';
import type { StatusBody } from './status-bodies.ts';
import { takeScheduled } from './scheduled-statuses.ts';
import type { ScheduledId, Visibility } from './tables.ts';
import { statusUri, statusUrl } from './urls.ts';
import { narrower } from './visibility.ts';
import { checkMentions, languageOf, readWording, type Wording } from './wording.ts';

/** What somebody wants to post; what is left out comes from their preferences. */
export interface Post {
  readonly text?: string | undefined;
  /** How `text` is written. */
  readonly contentType?: ContentType | undefined;
  readonly spoilerText?: string | undefined;
  readonly visibility?: Visibility | undefined;
  readonly sensitive?: boolean | undefined;
  readonly language?: string | undefined;
  /** Uploads of the author, in the order in which they are shown. */
  readonly mediaIds?: readonly string[] | undefined;
  readonly poll?: PollInput | undefined;
  readonly inReplyToId?: StatusId | undefined;
  readonly quotedStatusId?: StatusId | undefined;
  /** Who may quote it. */
  readonly quotePolicy?: QuotePolicy | undefined;
  /** When given, nobody else may be mentioned. */
  readonly allowedMentions?: readonly AccountId[] | undefined;
  readonly applicationId?: ApplicationId | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The scheduled status that this comes from: it ends when this is posted. */
  readonly scheduledId?: ScheduledId | undefined;
}

/**
 * Posts a status of a local account, and gives its id; with an idempotency key of the last hour, the id that the first
 * request got. Throws 422 for what cannot be posted, 404 when the status to answer or to quote
 * is not there for the author.
 */
export async function postStatus(app: App, accountId: AccountId, post: Post): Promise<StatusId> {
  const key = post.idempotencyKey;
  const earlier = key === undefined ? undefined : await statusOfKey(app, accountId, key);
  if (earlier !== undefined) return earlier;
  const mediaIds = post.mediaIds ?? [];
  const { parts, poll } = await checkPost(app, accountId, post);
  const status = await compose(app, accountId, parts);
  return storePost(app, { post, status, posted: parts.posted, quoted: parts.quoted, mediaIds, poll });
}

/** A post that was read and checked, to be stored. */
interface Composed {
  readonly post: Post;
  readonly status: NewStatus;
  readonly posted: PostedText;
  readonly quoted: StatusBody | undefined;
  readonly mediaIds: readonly string[];
  readonly poll: WantedPoll | undefined;
}

/** Gives for each the id of its status, or of the one that its key had made. */
const storePost = defineCrowdWrite(async (write: Write, app: App, posts: readonly Composed[]) => {
  for (const { post, status } of posts) {
    if (post.scheduledId !== undefined) await takeScheduled(write, app, post.scheduledId, status.id);
  }
  const holders = await statusesOfKeys(write, app, posts);
  const ids = posts.map((composed) => holders.get(composed) ?? composed.status.id);
  const fresh = posts.filter(({ status }, at) => ids[at] === status.id);
  if (fresh.length === 0) return ids;
  const stored = await insertStatuses(write, app, await withBelongings(write, app, fresh));
  for (const { status, posted } of fresh) {
    if (!stored.has(status.id)) throw new Error(`${status.uri} is taken`);
    announce(write, app, status, posted);
  }
  for (const { status, quoted } of quoting(fresh)) {
    if (!(await holdQuotable(write, status.accountId, quoted))) throw notQuotable();
    await insertQuote(write, app, newQuote(status.id, status.accountId, quoted));
  }
  return ids;
});

/** Those that quote, in the order of what they quote: each counts there. */
function quoting(posts: readonly Composed[]) {
  return posts
    .flatMap(({ status, quoted }) => (quoted === undefined ? [] : [{ status, quoted }]))
    .toSorted((one, other) => compareIds(one.quoted.id, other.quoted.id));
}

/** For those with a key, what it stands for now: their own status, or that of the request that took it first. */
async function statusesOfKeys(
  write: Write,
  app: App,
  posts: readonly Composed[],
): Promise<ReadonlyMap<Composed, StatusId>> {
  const keyed = posts.flatMap((composed) => {
    const { post, status } = composed;
    const { idempotencyKey: key } = post;
    return key === undefined ? [] : [{ composed, request: { accountId: status.accountId, key, statusId: status.id } }];
  });
  const ids = await takeKeys(
    write,
    app,
    keyed.map(({ request }) => request),
  );
  return new Map(keyed.map(({ composed }, at) => [composed, ids[at] as StatusId]));
}

/** The statuses with their tags, files and polls, which are made or claimed here. */
async function withBelongings(write: Write, app: App, posts: readonly Composed[]): Promise<NewStatus[]> {
  const names = posts.flatMap(({ posted }) => posted.tagNames);
  const tags = names.length === 0 ? new Map<string, TagId>() : await ensureTags(write, names, app.clock.now());
  const whole: NewStatus[] = [];
  for (const { post, status, posted, mediaIds, poll } of posts) {
    const { id: statusId, accountId } = status;
    const media = await claimMedia(write, app, { accountId, statusId, mediaIds, scheduledId: post.scheduledId });
    const pollId = poll === undefined ? null : await createPoll(write, app, { accountId, statusId, poll });
    const tagIds = [...new Set(posted.tagNames.flatMap((name) => tags.get(normalizeTag(name)) ?? []))];
    whole.push({ ...status, mediaIds: media.map(({ id }) => id), pollId, tagIds });
  }
  return whole;
}

function announce(write: Write, app: App, status: NewStatus, posted: PostedText): void {
  const { id: statusId, accountId } = status;
  if (status.inReplyToId === null) noteUntouchedAfter(write, app, { viewerId: accountId, statusId });
  write.emit(statusPosted({ statusId, accountId, local: true, direct: status.visibility === 'direct' }));
  if (posted.openHandles.length === 0) return;
  write.emit(mentionsLeftOpen({ statusId, accountId, handles: [...posted.openHandles] }));
}

/** Reads what somebody wants to post, and checks all that can be checked before it is stored; throws as `postStatus`. */
export async function checkPost(
  app: App,
  accountId: AccountId,
  post: Post,
): Promise<{ parts: Parts; poll: WantedPoll | undefined }> {
  const wording = readWording(post, {
    mayBeBlank: (post.mediaIds ?? []).length > 0 || post.quotedStatusId !== undefined,
  });
  const poll = readPoll(post.poll);
  const parent =
    post.inReplyToId === undefined ? undefined : await requireVisibleOriginal(app, accountId, post.inReplyToId);
  const quoted =
    post.quotedStatusId === undefined ? undefined : await requireQuotable(app, accountId, post.quotedStatusId);
  const contentType = post.contentType ?? (await userSettings(app, accountId)).default_content_type;
  const posted = await readPost(app, wording.text, contentType);
  await checkMentions(app, accountId, posted, post.allowedMentions);
  return { parts: { post, wording, contentType, parent, quoted, posted }, poll };
}

interface Parts {
  readonly post: Post;
  readonly wording: Wording;
  readonly contentType: ContentType;
  readonly parent: StatusBody | undefined;
  readonly quoted: StatusBody | undefined;
  readonly posted: PostedText;
}

/** Makes the status out of its parts, with what its author prefers; throws as `postStatus`. */
export async function compose(app: App, accountId: AccountId, parts: Parts): Promise<NewStatus> {
  const { post, wording, contentType, parent, quoted, posted } = parts;
  const { text, spoilerText } = wording;
  const [authors, settings, relations] = await Promise.all([
    accountBodies(app, [accountId]),
    userSettings(app, accountId),
    relationsOf(app, accountId),
  ]);
  const author = authors.get(accountId);
  if (author === undefined) throw notFound();
  const createdAt = app.clock.now();
  const id = newId<'status'>(createdAt);
  const asked = visibilityOfQuoting(visibilityOf(post.visibility, settings.default_privacy, parent), quoted);
  const visibility = author.silenced && asked === 'public' ? 'unlisted' : asked;
  const mentionedIds = posted.mentionedIds.filter((mentioned) => !relations.blocking.has(mentioned));
  checkPrivateQuote(accountId, visibility, quoted, mentionedIds);
  return {
    id,
    accountId,
    uri: statusUri(app, author.username, id),
    url: statusUrl(app, author.username, id),
    local: true,
    text,
    contentType,
    content: withQuoteLink(posted.content, quoted),
    spoilerText,
    sensitive: spoilerText !== '' || (post.sensitive ?? settings.default_sensitive),
    language: languageOf(text, post.language, settings.default_language),
    visibility,
    ...replyTo(accountId, parent),
    applicationId: post.applicationId ?? null,
    mediaIds: [],
    pollId: null,
    quotePolicy: policyOfChoice(post.quotePolicy ?? settings.default_quote_policy, visibility),
    mentions: [
      ...mentionedIds.map((mentioned) => ({ accountId: mentioned, silent: false })),
      // Who is quoted may see how.
      ...(quoted === undefined || quoted.accountId === accountId || mentionedIds.includes(quoted.accountId)
        ? []
        : [{ accountId: quoted.accountId, silent: true }]),
    ],
    tagIds: [],
    createdAt,
  };
}

/** An answer that says nothing about it reaches nobody whom the parent did not reach (STA-01). */
function visibilityOf(
  asked: Visibility | undefined,
  preferred: Visibility,
  parent: StatusBody | undefined,
): Visibility {
  if (asked !== undefined) return asked;
  return parent === undefined ? preferred : narrower(preferred, parent.visibility);
}

/**
 * Where a status stands in its conversation. Who goes on with an own reply still speaks to whom that reply was for, so
 * that a thread of replies stays out of the homes of those who do not follow the other.
 */
export function replyTo(
  accountId: AccountId,
  parent: StatusBody | undefined,
): Pick<NewStatus, 'inReplyToId' | 'inReplyToAccountId' | 'isReply' | 'conversationId'> {
  if (parent === undefined) {
    return { inReplyToId: null, inReplyToAccountId: null, isReply: false, conversationId: null };
  }
  const goesOn = parent.accountId === accountId && parent.inReplyToAccountId !== null;
  const inReplyToAccountId = goesOn ? parent.inReplyToAccountId : parent.accountId;
  return {
    inReplyToId: parent.id,
    inReplyToAccountId,
    isReply: inReplyToAccountId !== accountId,
    conversationId: parent.conversationId,
  };
}
