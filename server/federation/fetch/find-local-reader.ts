import { sql, type RawBuilder } from 'kysely';
import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import type { Visibility } from '../../statuses/index.ts';
import { visibilityOf, type DeliveredNote } from '../documents/parse-note.ts';
import { findAccountByAddress } from '../find-account-by-address.ts';
import { isLocalActorAddress } from '../local-addresses.ts';

/** The facts about a remote post or reblog that decide who may see it. */
export interface ReadablePost {
  readonly accountId: AccountId;
  readonly visibility: Visibility;
  /** The known recipients. */
  readonly mentionedIds: readonly AccountId[];
}

/** Returns the facts about a post that is not stored. */
export async function readablePost(
  app: App,
  note: DeliveredNote,
  author: Pick<AccountRow, 'id' | 'followers_url'>,
): Promise<ReadablePost> {
  const visibility = visibilityOf(note, author.followers_url);
  const mentionedIds = isPublicOrUnlisted(visibility) ? [] : await listLocalRecipients(app, note);
  return { accountId: author.id, visibility, mentionedIds };
}

/** A few of them are enough to find a reader. */
async function listLocalRecipients(app: App, { to, cc, recipientId }: DeliveredNote): Promise<AccountId[]> {
  const uris = new Set([...to, ...cc].filter((uri) => isLocalActorAddress(app, uri)));
  const accounts = await Promise.all([...uris].slice(0, 10).map((uri) => findAccountByAddress(app, uri)));
  const ids = accounts.flatMap((account) => account?.id ?? []);
  return recipientId === undefined ? ids : [...ids, recipientId];
}

/**
 * Returns a local account that may see all of these posts. Other servers serve documents about posts that are not public
 * only to requests signed by such an account. Returns undefined if all are public, or if there is none: then the instance
 * actor signs. Prefers one that follows an account with an id in `preferred`.
 */
export async function findLocalReader(
  app: App,
  posts: readonly ReadablePost[],
  preferred: readonly string[] = [],
): Promise<AccountId | undefined> {
  const restricted = posts.filter(({ visibility }) => !isPublicOrUnlisted(visibility));
  if (restricted.length === 0) return undefined;
  const row = await app.db
    .selectFrom('accounts')
    .select('id')
    .where(sql<boolean>`coalesce(domain, '') = '' and activated and suspended_at is null and deleted_at is null`)
    .where((eb) => eb.and(restricted.map(isReaderSql)))
    .orderBy(
      sql`exists (select from follows join accounts followed on followed.id = follows.target_account_id
        where follows.account_id = accounts.id and followed.uri = any(${preferred.slice(0, 20)}::text[]))`,
      'desc',
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

function isReaderSql({ accountId, visibility, mentionedIds }: ReadablePost): RawBuilder<boolean> {
  return sql<boolean>`(accounts.id = any(${[...mentionedIds]}::bigint[]) or (${visibility === 'private'}::boolean and exists (
    select from follows where follows.account_id = accounts.id and follows.target_account_id = ${accountId}::bigint)))`;
}
