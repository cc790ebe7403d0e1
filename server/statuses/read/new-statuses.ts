import { accountSensitivityChanged, accountSilenceChanged } from '../../accounts/lifecycle/index.ts';
import { peekCachedAccount } from '../../accounts/present/index.ts';
import { emojisChanged } from '../../emojis/index.ts';
import { peekApplicationName } from '../../oauth/index.ts';
import type { App } from '../../platform/app.ts';
import { Cache } from '../../platform/caching/cache.ts';
import { evict, evictAll, evictWhere } from '../../platform/caching/cache-reactions.ts';
import type { StatusId } from '../../platform/ids.ts';
import { pollVoted } from '../../polls/index.ts';
import { quoteChanged } from '../../quotes/index.ts';
import { domainPolicyEvents } from '../../site/domains/index.ts';
import { peekUserSettings } from '../../users/settings/index.ts';
import { statusChanged, statusCountersChanged } from '../events.ts';
import type { NewStatus } from '../post/insert-status.ts';
import type { StatusRow } from './status-rows.ts';

/**
 * Local statuses that this process has just stored, so that presenting them needs no query. Everything that evicts or
 * patches a cached status evicts them. Removed when their transaction fails.
 */
export const newStatuses = new Cache<StatusId, NewStatus>({
  name: 'statuses.new_statuses',
  maxSize: 1_000,
  ttlMs: 10_000,
  evictOn: [
    evict(statusChanged, ({ statusId }) => [statusId]),
    evict(statusCountersChanged, ({ id }) => [id]),
    evict(pollVoted, ({ statusId }) => [statusId]),
    evict(quoteChanged, ({ statusId, quotedStatusId }) =>
      quotedStatusId === null ? [statusId] : [statusId, quotedStatusId],
    ),
    evictWhere(accountSensitivityChanged, (status, { accountId }) => status.accountId === accountId),
    evictWhere(accountSilenceChanged, (status, { accountId }) => status.accountId === accountId),
    evictAll(emojisChanged, ...domainPolicyEvents),
  ],
});

/**
 * Returns the row of a new status as `loadStatusRows` would. Undefined if other tables have more of it, or if what it shows
 * of its author or app is not cached.
 */
export function buildNewRow(app: App, id: StatusId): StatusRow | undefined {
  const status = newStatuses.peek(app, id);
  if (status === undefined || hasRelatedRows(status)) return undefined;
  const author = peekCachedAccount(app, status.accountId);
  const settings = peekUserSettings(app, status.accountId);
  const { applicationId } = status;
  const application = applicationId === null ? null : peekApplicationName(app, applicationId);
  if (author === undefined || settings === undefined || application === undefined) return undefined;
  return {
    id,
    account_id: status.accountId,
    uri: status.uri,
    url: status.url,
    local: status.local,
    content: status.content,
    spoiler_text: status.spoilerText,
    sensitive: status.sensitive,
    language: status.language,
    visibility: status.visibility,
    in_reply_to_id: status.inReplyToId,
    in_reply_to_account_id: status.inReplyToAccountId,
    is_reply: status.isReply,
    reblog_of_id: null,
    conversation_id: status.conversationId,
    media_ids: [],
    poll_id: null,
    created_at: status.createdAt,
    edited_at: null,
    quote_policy: status.quotePolicy,
    interaction_policy: status.interactionPolicy,
    author_domain: author.domain,
    author_sensitized: author.sensitized,
    author_silenced: author.silenced,
    application_id: applicationId,
    application_name: application?.name ?? null,
    application_website: application?.website ?? null,
    show_application: settings.show_application,
    version: null,
    favourites_count: null,
    reblogs_count: null,
    replies_count: null,
    quotes_count: null,
    unseen_replies_count: null,
    unseen_reblogs_count: null,
    unseen_favourites_count: null,
    origin_counted_at: null,
    quote_id: null,
    quote_state: null,
    quote_legacy: null,
    quoted_status_id: null,
    card_id: null,
    card_url: null,
    mentions: null,
    tags: null,
    reactions: null,
    article: null,
    collection_ids: null,
  };
}

/** Whether other tables may have mentions, tags, media, polls, or what the links in its content lead to. */
const hasRelatedRows = ({ mentions, tagIds, mediaIds, pollId, content, collectionUris = [] }: NewStatus): boolean =>
  mentions.length + tagIds.length + mediaIds.length + collectionUris.length > 0 ||
  pollId !== null ||
  content.includes('<a ');
