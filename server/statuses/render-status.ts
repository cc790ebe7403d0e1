import { actorUrls } from '../accounts/index.ts';
import type { CustomEmoji } from '../emojis/index.ts';
import type { MediaAttachment } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { asciiJson, flattenString } from '../platform/http/http-response.ts';
import { truncateText, limitHtml } from '../text/index.ts';
import type { MentionRow, StatusRow } from './status-rows.ts';
import { buildCounters } from './status-counters.ts';
import type { CachedStatus } from './status-cache.ts';
import { maxRemoteSpoilerLength } from './remote-limits.ts';
import { isPublicOrUnlisted } from './visibility.ts';

/** Turns a row into what is kept of it: the facts, and its JSON as far as it is the same for every viewer. */
export function renderCachedStatus(
  app: App,
  row: StatusRow,
  {
    media,
    emojis,
    card,
    poll,
  }: {
    media: readonly MediaAttachment[];
    emojis: readonly CustomEmoji[];
  } & Pick<CachedStatus, 'card' | 'poll'>,
): CachedStatus {
  const shown = openJson(buildSharedFields(app, row, { media, emojis }));
  const application =
    row.application_name === null ? null : { name: row.application_name, website: row.application_website };
  const others = { sensitive: row.sensitive || row.author_sensitized, application };
  const own = flattenString(`${shown},${jsonMembers({ sensitive: row.sensitive, application })}`);
  const head =
    row.show_application === false && application !== null
      ? flattenString(`${shown},${jsonMembers({ sensitive: others.sensitive })}`)
      : others.sensitive === row.sensitive
        ? own
        : flattenString(`${shown},${jsonMembers(others)}`);
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
    createdAt: row.created_at,
    collectionIds: row.collection_ids ?? [],
    hasRestrictedMedia: !isPublicOrUnlisted(row.visibility) && media.some(({ remote_url: url }) => url !== null),
    card,
    poll,
    quote: buildCachedQuote(row),
    quotePolicy: row.quote_policy,
    counters: buildCounters({ ...row, status_id: row.id }),
    jsonPrefix: head,
    authorJsonPrefix: own,
  };
}

/** What was quoted without a way to agree counts only where somebody quotes themselves. */
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
  { media, emojis }: { media: readonly MediaAttachment[]; emojis: readonly CustomEmoji[] },
): object {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    in_reply_to_id: row.in_reply_to_id,
    in_reply_to_account_id: row.in_reply_to_account_id,
    spoiler_text: truncateText(row.spoiler_text, maxRemoteSpoilerLength),
    visibility: row.visibility,
    language: row.language,
    uri: row.uri,
    url: row.url,
    edited_at: row.edited_at?.toISOString() ?? null,
    content: limitHtml(row.content),
    media_attachments: media,
    mentions: (row.mentions ?? []).filter(({ silent }) => !silent).map((mention) => buildMention(app, mention)),
    tags: (row.tags ?? []).map((name) => ({ name, url: `${app.config.baseUrl}/tags/${encodeURIComponent(name)}` })),
    emojis,
    tagged_collections: [],
  };
}

function buildMention(app: App, { id, username, domain, url }: MentionRow): object {
  const local = domain === null;
  return {
    id,
    username,
    url: local ? actorUrls(app, username).url : (url ?? ''),
    acct: local ? username : `${username}@${domain}`,
  };
}

const openJson = (value: object): string => asciiJson(value).slice(0, -1);

const jsonMembers = (value: object): string => asciiJson(value).slice(1, -1);
