import { accountBodies } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/problems.ts';
import { newId, type AccountId, type ApplicationId, type StatusId } from '../platform/ids.ts';
import { readPoll, type PollInput, type WantedPoll } from '../polls/index.ts';
import { policyOfChoice } from '../quotes/index.ts';
import { relationsOf } from '../relationships/index.ts';
import type { ContentType } from '../text/index.ts';
import { userSettings, type QuotePolicy } from '../users/index.ts';
import type { NewStatus } from './insert-status.ts';
import { requireVisibleOriginal } from './keep-visible.ts';
import { checkPrivateQuote, requireQuotable, visibilityOfQuoting, withQuoteLink } from './quote-status.ts';
import { readPost, type PostedText } from './read-post.ts';
import type { StatusBody } from './status-bodies.ts';
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

/** What was asked for, read and checked: a status is made of it. */
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
