import { actorUrls } from '../accounts/index.ts';
import type { CustomEmoji } from '../emojis/index.ts';
import type { MediaAttachment } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { asciiJson, inOnePiece } from '../platform/http/answers.ts';
import { cutText, shownHtml } from '../text/index.ts';
import type { MentionRow, StatusRow } from './load-statuses.ts';
import { countersOf } from './status-counters.ts';
import type { StatusBody } from './status-bodies.ts';
import { maxRemoteSpoiler } from './remote-limits.ts';
import { isForEverybody } from './visibility.ts';

/** Turns a row into what is kept of it: the facts, and its JSON as far as it is the same for every viewer. */
export function bodyOf(
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
  } & Pick<StatusBody, 'card' | 'poll'>,
): StatusBody {
  const shown = withoutEnd(sharedJson(app, row, { media, emojis }));
  const application =
    row.application_name === null ? null : { name: row.application_name, website: row.application_website };
  const others = { sensitive: row.sensitive || row.author_sensitized, application };
  const own = inOnePiece(`${shown},${inner({ sensitive: row.sensitive, application })}`);
  const head =
    row.show_application === false && application !== null
      ? inOnePiece(`${shown},${inner({ sensitive: others.sensitive })}`)
      : others.sensitive === row.sensitive
        ? own
        : inOnePiece(`${shown},${inner(others)}`);
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
    hasGuardedMedia: !isForEverybody(row.visibility) && media.some(({ remote_url: url }) => url !== null),
    card,
    poll,
    quote: quoteOf(row),
    quotePolicy: row.quote_policy,
    counters: countersOf({ ...row, status_id: row.id }),
    head,
    ownHead: own,
  };
}

/** What was quoted without a way to agree counts only where somebody quotes themselves. */
function quoteOf({ quote_id: id, quote_state: state, quote_legacy, quoted_status_id }: StatusRow): StatusBody['quote'] {
  if (id === null || state === null || (quote_legacy === true && state !== 'accepted')) return null;
  return { id, state, quotedId: quoted_status_id };
}

function sharedJson(
  app: App,
  row: StatusRow,
  { media, emojis }: { media: readonly MediaAttachment[]; emojis: readonly CustomEmoji[] },
): object {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    in_reply_to_id: row.in_reply_to_id,
    in_reply_to_account_id: row.in_reply_to_account_id,
    spoiler_text: cutText(row.spoiler_text, maxRemoteSpoiler),
    visibility: row.visibility,
    language: row.language,
    uri: row.uri,
    url: row.url,
    edited_at: row.edited_at?.toISOString() ?? null,
    content: shownHtml(row.content),
    media_attachments: media,
    mentions: (row.mentions ?? []).filter(({ silent }) => !silent).map((mention) => mentionJson(app, mention)),
    tags: (row.tags ?? []).map((name) => ({ name, url: `${app.config.baseUrl}/tags/${encodeURIComponent(name)}` })),
    emojis,
    tagged_collections: [],
  };
}

function mentionJson(app: App, { id, username, domain, url }: MentionRow): object {
  const local = domain === null;
  return {
    id,
    username,
    url: local ? actorUrls(app, username).url : (url ?? ''),
    acct: local ? username : `${username}@${domain}`,
  };
}

const withoutEnd = (value: object): string => asciiJson(value).slice(0, -1);

const inner = (value: object): string => asciiJson(value).slice(1, -1);
