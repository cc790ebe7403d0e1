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
/** A viewer with more followers has them looked up one by one. */
const maxFollowerSet = 500;
/** With fewer results, the text may contain a typing error. */
const fewResults = 5;

interface Args extends AccountPatterns {
  readonly viewer: AccountId | null;
  /** The account of exactly this handle. */
  readonly exactId: AccountId | null;
  readonly following: boolean;
  readonly now: Date;
  readonly limit: number;
  readonly offset: number;
}

/** What ranks the account `a`. */
const columns = sql`a.id, lower(a.username) as username, a.created_at`;
const names = sql`(lower(a.username) || ' ' || lower(a.display_name))`;

/** Whether the account `a` follows the viewer. The limit keeps the planner from reading all followers of the viewer. */
const isFollower = (viewer: AccountId | null) => sql`case
  when (select count(*) from followers) <= ${sql.lit(maxFollowerSet)} then a.id in (select account_id from followers)
  else coalesce((select true from follows f
    where f.account_id = a.id and f.target_account_id = ${viewer}::bigint limit 1), false) end`;

/**
 * The exact handle first, then a username that is the text, then followed accounts, followers of the viewer, usernames
 * that begin with the text; among equals the popular ones. Each silent month, up to twelve, lowers the score as much as
 * losing a third of the followers would. The followed accounts are read only if there are more matches than are ranked.
 */
const accountsByName = abortableQuery<{ id: AccountId }>()((db, args: Args) => {
  const matches = sql`
    a.suspended_at is null and a.deleted_at is null and a.activated and a.moved_to_account_id is null
    and a.id <> ${sql.lit(instanceActorId)} and a.id is distinct from ${args.exactId}::bigint
    and ${names} like any(${args.any}::text[])
    and (cardinality(${args.rest}::text[]) = 0 or ${names} like all(${args.rest}::text[]))
    and (${args.domain}::text is null or a.domain like ${args.domain}::text)`;
  return {
    compile: () =>
      sql<{ id: AccountId }>`
        with followers as materialized (
          select account_id from follows where target_account_id = ${args.viewer}::bigint
          limit ${sql.lit(maxFollowerSet + 1)}
        ), matched as materialized (
          select ${columns} from accounts a
          where not ${args.following}::boolean and ${matches} and (a.silenced_at is null or exists (
            select from follows f where f.account_id = ${args.viewer}::bigint and f.target_account_id = a.id))
          limit ${sql.lit(maxCandidates)}
        ), found as (
          select * from matched
          union all
          select ${columns} from follows f join accounts a on a.id = f.target_account_id
          where (${args.following}::boolean or (select count(*) from matched) = ${sql.lit(maxCandidates)})
            and f.account_id = ${args.viewer}::bigint and ${matches}
            and not exists (select from matched where matched.id = a.id)
          union all
          select ${columns} from accounts a
          where a.id = ${args.exactId}::bigint
        )
        select a.id
        from found a
          left join account_stats st on st.account_id = a.id
          left join lateral (select f.id from follows f
            where f.account_id = ${args.viewer}::bigint and f.target_account_id = a.id limit 1) followed on true
        where not ${args.following}::boolean or followed.id is not null
        order by
          coalesce(a.id = ${args.exactId}::bigint, false) desc,
          a.username = ${args.username}::text desc,
          followed.id is not null desc,
          ${isFollower(args.viewer)} desc,
          starts_with(a.username, ${args.username}::text) desc,
          ln(1 + coalesce(st.followers_count, 0)) - 0.4 * least(12,
            extract(epoch from ${args.now}::timestamptz - coalesce(st.last_status_at, a.created_at))::float8 / 2592000) desc,
          a.id
        limit ${args.limit}::int offset ${args.offset}::int`.compile(db),
  };
});

/**
 * Finds stored accounts by name or handle: an exact handle first, then by relationship to the viewer, by how well the
 * name's beginning matches, and by followers and activity. If these are few, names that differ by a typing error follow.
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
  if (offset > 0 || exactId !== undefined || ids.length >= Math.min(limit, fewResults)) return ids;
  const similar = await findSimilarAccounts(app, { text, viewerId, following, limit });
  return [...new Set([...ids, ...similar])].slice(0, limit);
}

async function findExactAccount(app: App, text: string): Promise<AccountId | undefined> {
  const account = await findAccountByAcct(app, text);
  return account === undefined || account.suspended_at !== null || account.id === instanceActorId
    ? undefined
    : account.id;
}
