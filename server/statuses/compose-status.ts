import { loadCachedAccounts } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { newId, type AccountId, type ApplicationId, type StatusId } from '../platform/ids.ts';
import { parsePoll, type PollInput, type PollParams } from '../polls/index.ts';
import { quotePolicyFromSetting } from '../quotes/index.ts';
import { loadAccountRelations } from '../relationships/index.ts';
import type { ContentType } from '../text/index.ts';
import { loadUserSettings, type QuotePolicy } from '../users/index.ts';
import type { NewStatus } from './insert-status.ts';
import { requireVisibleOriginal } from './filter-visible-statuses.ts';
import {
  assertPrivateQuoteAllowed,
  requireQuotableStatus,
  limitQuoteVisibility,
  withQuoteLink,
} from './quote-status.ts';
import { formatStatusText, type FormattedText } from './format-status-text.ts';
import type { CachedStatus } from './cached-status.ts';
import type { ScheduledId, Visibility } from './tables.ts';
import { statusUri, statusUrl } from './urls.ts';
import { narrowerVisibility } from './visibility.ts';
import { assertMentionsAllowed, chooseLanguage, parseStatusText, type StatusText } from './status-text.ts';

/** What somebody wants to post; what is left out comes from their preferences. */
export interface StatusParams {
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
export async function validateStatusParams(
  app: App,
  accountId: AccountId,
  post: StatusParams,
): Promise<{ parts: ValidatedStatus; poll: PollParams | undefined }> {
  const wording = parseStatusText(post, {
    allowBlank: (post.mediaIds ?? []).length > 0 || post.quotedStatusId !== undefined,
  });
  const poll = parsePoll(post.poll);
  const parent =
    post.inReplyToId === undefined ? undefined : await requireVisibleOriginal(app, accountId, post.inReplyToId);
  const quoted =
    post.quotedStatusId === undefined ? undefined : await requireQuotableStatus(app, accountId, post.quotedStatusId);
  const contentType = post.contentType ?? (await loadUserSettings(app, accountId)).default_content_type;
  const posted = await formatStatusText(app, wording.text, contentType);
  await assertMentionsAllowed(app, accountId, posted, post.allowedMentions);
  return { parts: { post, statusText: wording, contentType, parent, quoted, formatted: posted }, poll };
}

/** What was asked for, read and checked: a status is made of it. */
interface ValidatedStatus {
  readonly post: StatusParams;
  readonly statusText: StatusText;
  readonly contentType: ContentType;
  readonly parent: CachedStatus | undefined;
  readonly quoted: CachedStatus | undefined;
  readonly formatted: FormattedText;
}

/** Makes the status out of its parts, with what its author prefers; throws as `postStatus`. */
export async function composeStatus(app: App, accountId: AccountId, parts: ValidatedStatus): Promise<NewStatus> {
  const { post, statusText, contentType, parent, quoted, formatted } = parts;
  const { text, spoilerText } = statusText;
  const [authors, settings, relations] = await Promise.all([
    loadCachedAccounts(app, [accountId]),
    loadUserSettings(app, accountId),
    loadAccountRelations(app, accountId),
  ]);
  const author = authors.get(accountId);
  if (author === undefined) throw notFound();
  const createdAt = app.clock.now();
  const id = newId<'status'>(createdAt);
  const requested = limitQuoteVisibility(chooseVisibility(post.visibility, settings.default_privacy, parent), quoted);
  const visibility = author.silenced && requested === 'public' ? 'unlisted' : requested;
  const mentionedIds = formatted.mentionedIds.filter((mentioned) => !relations.blocking.has(mentioned));
  assertPrivateQuoteAllowed(accountId, visibility, quoted, mentionedIds);
  return {
    id,
    accountId,
    uri: statusUri(app, author.username, id),
    url: statusUrl(app, author.username, id),
    local: true,
    text,
    contentType,
    content: withQuoteLink(formatted.content, quoted),
    spoilerText,
    sensitive: spoilerText !== '' || (post.sensitive ?? settings.default_sensitive),
    language: chooseLanguage(text, post.language, settings.default_language),
    visibility,
    ...buildReplyFields(accountId, parent),
    applicationId: post.applicationId ?? null,
    mediaIds: [],
    pollId: null,
    quotePolicy: quotePolicyFromSetting(post.quotePolicy ?? settings.default_quote_policy, visibility),
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
function chooseVisibility(
  requested: Visibility | undefined,
  preferred: Visibility,
  parent: CachedStatus | undefined,
): Visibility {
  if (requested !== undefined) return requested;
  return parent === undefined ? preferred : narrowerVisibility(preferred, parent.visibility);
}

/**
 * Where a status stands in its conversation. Who goes on with an own reply still speaks to whom that reply was for, so
 * that a thread of replies stays out of the homes of those who do not follow the other.
 */
export function buildReplyFields(
  accountId: AccountId,
  parent: CachedStatus | undefined,
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
