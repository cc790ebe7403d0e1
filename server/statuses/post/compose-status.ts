import type { StatusParams } from './status-params.ts';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import { invalidField, notFound, type HttpError } from '../../platform/http/http-errors.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { parsePoll, type PollParams } from '../../polls/index.ts';
import { quotePolicyFromSetting } from '../../quotes/policy/index.ts';
import { loadApplicationNames } from '../../oauth/index.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';
import type { ContentType } from '../../text/format/index.ts';
import { loadUserSettings } from '../../users/settings/index.ts';
import type { NewStatus } from './insert-status.ts';
import { buildConsent } from '../approval/held-reply.ts';
import { requireParent, type RepliedStatus } from './require-parent.ts';
import {
  assertPrivateQuoteAllowed,
  requireQuotableStatus,
  limitQuoteVisibility,
  withQuoteLink,
} from '../quote/quote-status.ts';
import { formatStatusText, type FormattedText } from './format-status-text.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import type { Visibility } from '../tables.ts';
import { statusUri, statusUrl } from './urls.ts';
import {
  localVisibility,
  narrowerVisibility,
  plainVisibility,
  staysHere,
  visibilityToOthers,
} from '../visibility/visibility.ts';
import { assertMentionsAllowed, chooseLanguage, parseStatusText, type StatusText } from './status-text.ts';

/** Validates the parameters of a status as far as possible before it is stored. Throws the errors of `postStatus`. */
export async function validateStatusParams(
  app: App,
  accountId: AccountId,
  post: StatusParams,
): Promise<{ parts: ValidatedStatus; poll: PollParams | undefined }> {
  const statusText = parseStatusText(post, {
    allowBlank: (post.mediaIds ?? []).length > 0 || post.quotedStatusId !== undefined,
  });
  const poll = parsePoll(post.poll);
  const parent = post.inReplyToId === undefined ? undefined : await requireParent(app, accountId, post.inReplyToId);
  const quoted =
    post.quotedStatusId === undefined ? undefined : await requireQuotableStatus(app, accountId, post.quotedStatusId);
  const contentType = post.contentType ?? (await loadUserSettings(app, accountId)).default_content_type;
  const formatted = await formatStatusText(app, statusText.text, contentType);
  await assertMentionsAllowed(app, accountId, formatted, post.allowedMentions);
  return { parts: { post, statusText, contentType, parent, quoted, formatted }, poll };
}

/** What a reply takes from the status that it answers, which may not be stored yet. */
export type ReplyParent = Pick<
  CachedStatus,
  'id' | 'accountId' | 'local' | 'visibility' | 'conversationId' | 'inReplyToAccountId'
> &
  Partial<Pick<RepliedStatus, 'consent'>>;

/** Validated parameters, from which `composeStatus` builds the status. */
export interface ValidatedStatus {
  readonly post: StatusParams;
  readonly statusText: StatusText;
  readonly contentType: ContentType;
  readonly parent: ReplyParent | undefined;
  readonly quoted: CachedStatus | undefined;
  readonly formatted: FormattedText;
}

/** Builds the status from its parts and the author's settings. Throws the errors of `postStatus`. */
export async function composeStatus(
  app: App,
  accountId: AccountId,
  parts: ValidatedStatus,
  createdAt: Date = app.clock.now(),
): Promise<NewStatus> {
  const { post, statusText, contentType, parent, quoted, formatted } = parts;
  const { text, spoilerText } = statusText;
  const [authors, settings, relations] = await Promise.all([
    loadCachedAccounts(app, [accountId]),
    loadUserSettings(app, accountId),
    loadAccountRelations(app, accountId),
    post.applicationId === undefined ? undefined : loadApplicationNames(app, [post.applicationId]),
  ]);
  const author = authors.get(accountId);
  if (author === undefined) throw notFound();
  const id = newId<'status'>(app.clock.now());
  const requested = limitQuoteVisibility(chooseVisibility(post.visibility, settings.default_privacy, parent), quoted);
  const reach = chooseReach(requested, parts, { localByDefault: settings.default_local_only });
  const visibility = visibilityToOthers(reach, author);
  const mentionedIds = formatted.mentionedIds.filter((mentioned) => !relations.blocking.has(mentioned));
  assertPrivateQuoteAllowed(accountId, visibility, quoted, mentionedIds);
  return {
    id,
    accountId,
    uri: statusUri(author.uri, id),
    url: statusUrl(app, author.username, id),
    local: true,
    text,
    contentType,
    content: withQuoteLink(formatted.content, quoted),
    spoilerText,
    sensitive: spoilerText !== '' || (post.sensitive ?? settings.default_sensitive),
    language: chooseLanguage(text, post.language, settings.default_language),
    ...buildReplyFields(accountId, parent),
    applicationId: post.applicationId ?? null,
    mediaIds: [],
    pollId: null,
    quotePolicy: quotePolicyFromSetting(post.quotePolicy ?? settings.default_quote_policy, plainVisibility(visibility)),
    interactionPolicy:
      post.interactionPolicy === undefined
        ? (settings.default_interaction_policies[plainVisibility(visibility)] ?? null)
        : post.interactionPolicy,
    tagIds: [],
    createdAt,
    ...buildConsent(parent, { visibility, mentions: buildMentions(accountId, mentionedIds, quoted) }),
  };
}

/** Returns the mentions of a status. The quoted author may see it, too. */
function buildMentions(
  accountId: AccountId,
  mentionedIds: readonly AccountId[],
  quoted: CachedStatus | undefined,
): NewStatus['mentions'] {
  const named = mentionedIds.map((mentioned) => ({ accountId: mentioned, silent: false }));
  if (quoted === undefined || quoted.accountId === accountId || mentionedIds.includes(quoted.accountId)) return named;
  return [...named, { accountId: quoted.accountId, silent: true }];
}

/** Returns the requested visibility. By default a reply is not more visible than its parent (STA-01). */
function chooseVisibility(
  requested: Visibility | undefined,
  preferred: Visibility,
  parent: ReplyParent | undefined,
): Visibility {
  if (requested !== undefined) return requested;
  return parent === undefined ? preferred : narrowerVisibility(preferred, parent.visibility);
}

/**
 * Returns the visibility of a status, local-only if it answers or quotes a local-only or imported one, was requested so, or its author
 * prefers that and it answers no remote one. Throws 422 if that contradicts the request or would need other servers.
 */
function chooseReach(
  requested: Visibility,
  { post, parent, quoted }: Pick<ValidatedStatus, 'post' | 'parent' | 'quoted'>,
  { localByDefault }: { readonly localByDefault: boolean },
): Visibility {
  const staysHere = [{ visibility: requested }, parent, quoted].some(isStaying);
  if (requested === 'direct') {
    if (post.localOnly === true || isStaying(quoted)) throw localOnlyError('Direct');
    return requested;
  }
  if (staysHere && post.localOnly === false) throw localOnlyError('Parent');
  const isLocal = staysHere || (post.localOnly ?? (localByDefault && parent?.local !== false));
  if (!isLocal) return requested;
  if (quoted?.local === false) throw localOnlyError('Quote');
  if (parent?.local === false && parent.consent === 'pending') throw localOnlyError('Approval');
  return localVisibility(requested);
}

const isStaying = (status: { readonly visibility: Visibility } | undefined): boolean =>
  status !== undefined && staysHere(status.visibility);

type LocalOnlyProblem = 'Approval' | 'Direct' | 'Parent' | 'Quote';

const localOnlyError = (problem: LocalOnlyProblem): HttpError =>
  invalidField('local_only', `statuses.localOnly${problem}`);

/**
 * Returns the place of a status in its conversation. A reply to one's own reply counts as a reply to the same recipient,
 * so that the thread stays out of the homes of followers who do not follow the recipient.
 */
export function buildReplyFields(
  accountId: AccountId,
  parent: ReplyParent | undefined,
): Pick<NewStatus, 'inReplyToId' | 'inReplyToAccountId' | 'isReply' | 'conversationId'> {
  if (parent === undefined) {
    return { inReplyToId: null, inReplyToAccountId: null, isReply: false, conversationId: null };
  }
  const continuesOwnReply = parent.accountId === accountId && parent.inReplyToAccountId !== null;
  const inReplyToAccountId = continuesOwnReply ? parent.inReplyToAccountId : parent.accountId;
  return {
    inReplyToId: parent.id,
    inReplyToAccountId,
    isReply: inReplyToAccountId !== accountId,
    conversationId: parent.conversationId,
  };
}
