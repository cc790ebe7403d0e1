import { sql } from 'kysely';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { listLinks, loadRules, screen, type Screened, type Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { idFromDate, type AccountId, type StatusId } from '../../platform/ids.ts';
import { loadFollowersAmong } from '../../relationships/rules/index.ts';
import { htmlToText } from '../../text/index.ts';
import type { NewStatus } from '../post/insert-status.ts';

/** An attachment. */
export interface ScreenedMedia {
  readonly description: string | null;
  readonly blurhash: string | null;
}

/** A post or an edit before it is stored, as moderation rules see it. */
export interface ScreenedPost {
  readonly status: Pick<
    NewStatus,
    'accountId' | 'local' | 'content' | 'spoilerText' | 'language' | 'inReplyToAccountId' | 'mentions'
  >;
  /** Texts beside the content warning and the content: options of a poll, hashtags that the content does not name. */
  readonly otherTexts: readonly string[];
  /** Safe HTML of an article, whose text is one of `otherTexts`. */
  readonly articleHtml?: string | undefined;
  readonly loadMedia: () => Promise<readonly ScreenedMedia[]>;
  /** Mentioned accounts that this server does not know. */
  readonly unknownMentions: number;
  /** Rates do not apply to edits. */
  readonly isEdit?: boolean;
}

/** Compares a post with the moderation rules. Returns undefined if none takes an action. No query without rules. */
export async function screenPost(app: App, post: ScreenedPost): Promise<Verdict | undefined> {
  const { status } = post;
  const rules = await loadRules(app, 'post', status.local);
  return rules && screen(app, rules, await toScreened(app, post));
}

async function toScreened(app: App, post: ScreenedPost): Promise<Screened> {
  const { status, otherTexts } = post;
  let media: Promise<readonly ScreenedMedia[]> | undefined;
  const loadMedia = () => (media ??= post.loadMedia());
  const { accountId, local, language, content, spoilerText } = status;
  const author = local ? undefined : (await loadCachedAccounts(app, [accountId])).get(accountId);
  return {
    subject: 'post',
    local,
    accountId,
    domain: author?.domain ?? null,
    language,
    texts: async () => [
      spoilerText,
      htmlToText(content),
      ...otherTexts,
      ...(await loadMedia()).map(({ description }) => description ?? ''),
    ],
    mediaHashes: async () => (await loadMedia()).flatMap(({ blurhash }) => blurhash ?? []),
    links: () => listLinks(content + (post.articleHtml ?? '')),
    countStrangers: () => countStrangers(app, post),
    countSince: async (since, max) => {
      if (post.isEdit === true) return 0;
      return (await earlierPosts(app, { accountId, after: idFromDate<'status'>(since), max })).length;
    },
  };
}

async function countStrangers(app: App, { status, unknownMentions }: ScreenedPost): Promise<number> {
  const { accountId, mentions, inReplyToAccountId } = status;
  const ids = mentions
    .map((mention) => mention.accountId)
    .filter((id) => id !== accountId && id !== inReplyToAccountId);
  const followers = (await loadFollowersAmong(app, ids, [accountId])).get(accountId);
  return ids.filter((id) => followers?.has(id) !== true).length + unknownMentions;
}

const earlierPosts = preparedQuery<{ id: StatusId }>()(
  (db, args: { accountId: AccountId; after: StatusId; max: number }) =>
    db
      .selectFrom('statuses')
      .select('id')
      .where('account_id', '=', args.accountId)
      .where('id', '>', args.after)
      .where('reblog_of_id', 'is', null)
      .where('deleted_at', 'is', null)
      .orderBy('id', 'desc')
      .limit(sql<number>`${args.max}`),
);
