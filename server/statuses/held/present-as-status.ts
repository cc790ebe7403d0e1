import { loadCachedAccounts, toAccountText } from '../../accounts/present/index.ts';
import { buildCachedEmojis } from '../../emojis/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { asciiJson, JsonText } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { isLocalOnly, plainVisibility } from '../visibility/visibility.ts';
import { loadAttachments } from '../read/load-attachments.ts';
import { presentMentions, presentTags } from '../read/present-names.ts';
import { statusUri, statusUrl } from '../post/urls.ts';
import type { Status } from '../schema.ts';
import type { HeldPostRow } from './find-held-posts.ts';
import { mediaIdsOf } from './present-held-posts.ts';

/**
 * Returns a pending post as a status for its author, because apps expect one when they post. `held_for_review` marks it.
 * It has no reactions, no card and no quote yet.
 */
export async function presentAsStatus(app: App, row: HeldPostRow): Promise<JsonText<Status>> {
  const { id, account_id: accountId, preview } = row;
  const accounts = await loadCachedAccounts(app, [accountId, ...preview.mentionedIds]);
  const author = accounts.get(accountId);
  if (author === undefined) throw notFound();
  const texts = [preview.spoilerText, preview.content, ...(preview.poll?.options ?? [])];
  const [[emojis = []], attachments] = await Promise.all([
    buildCachedEmojis(app, [{ domain: null, texts }]),
    loadAttachments(app, mediaIdsOf(row)),
  ]);
  const status = {
    ...unchangingFields,
    id,
    created_at: row.created_at.toISOString(),
    uri: statusUri(author.uri, id),
    url: statusUrl(app, author.username, id),
    content: preview.content,
    spoiler_text: preview.spoilerText,
    visibility: plainVisibility(preview.visibility),
    local_only: isLocalOnly(preview.visibility),
    sensitive: preview.sensitive,
    language: preview.language,
    in_reply_to_id: preview.inReplyToId,
    in_reply_to_account_id: preview.inReplyToAccountId,
    media_attachments: mediaIdsOf(row).flatMap((mediaId) => attachments.get(mediaId) ?? []),
    mentions: presentMentions(accounts, preview.mentionedIds),
    tags: presentTags(app, preview.tags),
    emojis,
    poll: preview.poll && presentPoll(row, preview.poll),
  };
  const accountText = toAccountText(author, mediaViewerOf({ accountId })).text;
  return new JsonText<Status>(`${asciiJson(status).slice(0, -1)},"account":${accountText}}`);
}

const unchangingFields = {
  held_for_review: true,
  application: null,
  reblogs_count: 0,
  favourites_count: 0,
  quotes_count: 0,
  replies_count: 0,
  card: null,
  quote: null,
  quote_approval: { automatic: [], manual: [], current_user: 'denied' },
  tagged_collections: [],
  reactions: [],
  edited_at: null,
  favourited: false,
  reblogged: false,
  bookmarked: false,
  muted: false,
  filtered: [],
  reblog: null,
};

/** The poll before it begins: it can be voted in and ends only after the post was published. */
const presentPoll = ({ id }: HeldPostRow, { options, multiple }: NonNullable<HeldPostRow['preview']['poll']>) => ({
  id,
  expires_at: null,
  expired: false,
  multiple,
  votes_count: 0,
  voters_count: 0,
  options: options.map((title) => ({ title, votes_count: 0 })),
  emojis: [],
  voted: true,
  own_votes: [],
});
