import { profileUrl } from '../../accounts/index.ts';
import type { CachedEmoji } from '../../emojis/index.ts';
import { presentPolicy } from '../../interactions/policy/index.ts';
import type { CachedAttachment } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import { asciiJson } from '../../platform/http/http-response.ts';
import { JsonTemplate } from '../../platform/http/json-template.ts';
import { truncateText, limitHtml } from '../../text/index.ts';
import { renderArticle } from './articles.ts';
import type { MentionRow, StatusRow } from './status-rows.ts';
import { buildCounters } from './status-counters.ts';
import type { CachedStatus, StatusContext } from './cached-status.ts';
import { maxRemoteSpoilerLength } from '../remote/remote-limits.ts';
import { presentTags } from './present-names.ts';
import { searchableTextOf } from './searchable-text.ts';
import { isImported, isLocalOnly, plainVisibility, visibilityToOthers } from '../visibility/visibility.ts';
import { TaggedCollectionsSlot } from './tagged-collections.ts';

/** Returns the cached form of a status: its facts, and the JSON that is the same for every viewer. */
export function renderCachedStatus(
  app: App,
  row: StatusRow,
  {
    media,
    emojis,
    reactions,
    card,
    poll,
  }: {
    media: readonly CachedAttachment[];
    emojis: readonly CachedEmoji[];
  } & Pick<CachedStatus, 'card' | 'poll' | 'reactions'>,
): CachedStatus {
  const application =
    row.application_name === null ? null : { name: row.application_name, website: row.application_website };
  const forAuthor = { visibility: plainVisibility(row.visibility), sensitive: row.sensitive, application };
  const visibility = visibilityToOthers(row.visibility, { silenced: row.author_silenced });
  const sensitive = row.sensitive || row.author_sensitized;
  const hidesApplication = row.show_application === false && application !== null;
  const forOthers = { visibility: plainVisibility(visibility), sensitive, ...(!hidesApplication && { application }) };
  const isSameForAll = visibility === row.visibility && sensitive === row.sensitive && !hidesApplication;
  const template = JsonTemplate.open<StatusContext>({
    ...buildSharedFields(app, row, { media, emojis }),
    ...(reactions.length === 0 && { reactions }),
    ...(isSameForAll && forAuthor),
  });
  return {
    id: row.id,
    accountId: row.account_id,
    uri: row.uri,
    url: row.url,
    local: row.local,
    visibility: row.visibility,
    reblogOfId: row.reblog_of_id,
    inReplyToId: row.in_reply_to_id,
    inReplyToAccountId: row.in_reply_to_account_id,
    isReply: row.is_reply,
    conversationId: row.conversation_id,
    mentionedIds: row.mentions?.map(({ id }) => id) ?? [],
    namedIds: row.mentions?.flatMap(({ id, silent }) => (silent ? [] : [id])) ?? [],
    language: row.language,
    hasMedia: media.length > 0,
    isAuthorSensitized: row.author_sensitized,
    tags: row.tags ?? [],
    createdAt: row.created_at,
    collectionIds: row.collection_ids ?? [],
    card,
    poll,
    quote: buildCachedQuote(row),
    quotePolicy: row.quote_policy,
    interactionPolicy: row.interaction_policy,
    article: row.article === null ? undefined : renderArticle(row.article),
    reactions,
    counters: buildCounters({ ...row, status_id: row.id }),
    template,
    ownership: isSameForAll ? undefined : { forAuthor: jsonMembers(forAuthor), forOthers: jsonMembers(forOthers) },
    searchableText: searchableTextOf(template, poll),
  };
}

/**
 * Returns the quote of a status. Legacy quotes, which have no approval, count only if they were accepted as
 * self-quotes.
 */
function buildCachedQuote({
  quote_id: id,
  quote_state: state,
  quote_legacy,
  quoted_status_id,
}: StatusRow): CachedStatus['quote'] {
  if (id === null || state === null || (quote_legacy === true && state !== 'accepted')) return null;
  return { id, state, quotedId: quoted_status_id };
}

function buildSharedFields(
  app: App,
  row: StatusRow,
  { media, emojis }: { media: readonly CachedAttachment[]; emojis: readonly CachedEmoji[] },
): object {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    in_reply_to_id: row.in_reply_to_id,
    in_reply_to_account_id: row.in_reply_to_account_id,
    spoiler_text: truncateText(row.spoiler_text, maxRemoteSpoilerLength),
    language: row.language,
    ...(row.local && { local_only: isLocalOnly(row.visibility) }),
    ...(isImported(row.visibility) && row.url !== null && { imported_from: new URL(row.url).host }),
    uri: row.uri,
    // Apps open this address, so an object without a page has its id.
    url: row.url ?? row.uri,
    edited_at: row.edited_at?.toISOString() ?? null,
    content: limitHtml(row.content),
    media_attachments: media,
    mentions: (row.mentions ?? []).filter(({ silent }) => !silent).map((mention) => buildMention(app, mention)),
    tags: presentTags(app, row.tags ?? []),
    emojis,
    tagged_collections: row.collection_ids?.length ? new TaggedCollectionsSlot(row.collection_ids) : [],
    ...(row.interaction_policy !== null && { interaction_policy: presentPolicy(row.interaction_policy) }),
  };
}

function buildMention(app: App, { id, username, domain, url }: MentionRow): object {
  const local = domain === null;
  return {
    id,
    username,
    url: local ? profileUrl(app, username) : url,
    acct: local ? username : `${username}@${domain}`,
  };
}

/** Returns members with a comma before each. */
const jsonMembers = (value: object): string => `,${asciiJson(value).slice(1, -1)}`;
