import { sql } from 'kysely';
import { findAccountByAcct } from '../accounts/find/index.ts';
import { instanceActorId } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { abortableQuery } from '../platform/database/prepared-query.ts';
import type { AccountId } from '../platform/ids.ts';
import { buildPatterns, type AccountPatterns } from './account-patterns.ts';
import { findSimilarAccounts } from './similar-accounts.ts';

/** One page of a search for accounts. */
export interface AccountSearch {
  /** Part of a name, or a handle or its beginning. */
  readonly text: string;
  readonly viewerId: AccountId | undefined;
  /** Only accounts that the viewer follows. */
  readonly following: boolean;
  /** Only the account of exactly this handle. */
  readonly exact: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly signal: AbortSignal;
}

/** Maximum number of matches to rank, beside followed accounts, for a common part of a name. */
const maxCandidates = 1_000;

interface Args extends AccountPatterns {
  readonly viewer: AccountId | null;
  /** The account of exactly this handle. */
  readonly exactId: AccountId | null;
  readonly following: boolean;
  readonly now: Date;
  readonly limit: number;
  readonly offset: number;
}

const names = sql`(lower(a.username) || ' ' || lower(a.display_name))`;

/**
 * The exact handle first, then a username that is the text, then followed accounts, followers of the viewer, usernames
 * that begin with the text; among equals the popular ones. Each silent month, up to twelve, lowers the score as much as
 * losing a third of the followers would.
 */
const accountsByName = abortableQuery<{ id: AccountId }>()((db, args: Args) => {
  const matches = sql`
    a.suspended_at is null and a.deleted_at is null and a.activated and a.moved_to_account_id is null
    and a.id <> ${sql.lit(instanceActorId)}
    and (${names} like ${args.start}::text or ${names} like ${args.inner}::text)
    and ${names} like all(${args.rest}::text[])
    and (${args.domain}::text is null or a.domain like ${args.domain}::text)`;
  return {
    compile: () =>
      sql<{ id: AccountId }>`
        with found as (
          select ${args.exactId}::bigint as id where ${args.exactId}::bigint is not null
          union
          select a.id from follows f join accounts a on a.id = f.target_account_id
          where f.account_id = ${args.viewer}::bigint and ${matches}
          union
          (select a.id from accounts a
           where not ${args.following}::boolean and a.silenced_at is null and ${matches} limit ${sql.lit(maxCandidates)})
        )
        select a.id
        from found join accounts a on a.id = found.id
          left join account_stats st on st.account_id = a.id
          left join follows followed on followed.account_id = ${args.viewer}::bigint and followed.target_account_id = a.id
          left join follows follower on follower.account_id = a.id and follower.target_account_id = ${args.viewer}::bigint
        where not ${args.following}::boolean or followed.id is not null
        order by
          coalesce(a.id = ${args.exactId}::bigint, false) desc,
          lower(a.username) = ${args.username}::text desc,
          followed.id is not null desc,
          follower.id is not null desc,
          starts_with(lower(a.username), ${args.username}::text) desc,
          ln(1 + coalesce(st.followers_count, 0)) - 0.4 * least(12,
            extract(epoch from ${args.now}::timestamptz - coalesce(st.last_status_at, a.created_at)) / 2592000) desc,
          a.id
        limit ${args.limit}::int offset ${args.offset}::int`.compile(db),
  };
});

/**
 * Finds stored accounts by name or handle: an exact handle first, then by relationship to the viewer, by how well the
 * name's beginning matches, and by followers and activity. Fills a first page with names that differ by a typing error.
 */
export async function searchAccounts(app: App, search: AccountSearch): Promise<AccountId[]> {
  const { viewerId, following, limit, offset, signal } = search;
  const text = search.text.trim();
  const exactId = await findExactAccount(app, text);
  const patterns = buildPatterns(text);
  if (limit === 0) return [];
  if (search.exact) return offset === 0 && exactId !== undefined ? [exactId] : [];
  if (patterns === undefined) return [];
  const rows = await accountsByName(
    app,
    {
      ...patterns,
      exactId: exactId ?? null,
      viewer: viewerId ?? null,
      following,
      now: app.clock.now(),
      limit,
      offset,
    },
    signal,
  );
  const ids = rows.map(({ id }) => id);
  if (offset > 0 || ids.length === limit) return ids;
  const similar = await findSimilarAccounts(app, { text, viewerId, following, limit });
  return [...new Set([...ids, ...similar])].slice(0, limit);
}

async function findExactAccount(app: App, text: string): Promise<AccountId | undefined> {
  const account = await findAccountByAcct(app, text);
  return account === undefined || account.suspended_at !== null || account.id === instanceActorId
    ? undefined
    : account.id;
}
