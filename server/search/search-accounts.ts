import { sql } from 'kysely';
import { findAccountByAcct } from '../accounts/find/index.ts';
import { instanceActorId } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { AccountId } from '../platform/ids.ts';

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
}

/** Maximum number of matches to rank, beside followed accounts, for a common part of a name. */
const maxCandidates = 1_000;
/** Further words are ignored. */
const maxWords = 8;

interface Args {
  readonly viewer: AccountId | null;
  readonly following: boolean;
  /** Patterns over "username display name" in lower case: one of the first two (indexed) and all of `rest` must match. */
  readonly start: string;
  readonly inner: string;
  readonly rest: readonly string[];
  /** Pattern of the domain's beginning; null for any domain. */
  readonly domain: string | null;
  readonly username: string;
  readonly limit: number;
  readonly offset: number;
}

const names = sql`(lower(a.username) || ' ' || lower(a.display_name))`;

const accountsByName = preparedQuery<{ id: AccountId }>()((db, args: Args) => {
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
          select a.id, true as followed from follows f join accounts a on a.id = f.target_account_id
          where f.account_id = ${args.viewer}::bigint and ${matches}
          union all
          (select a.id, false from accounts a
           where not ${args.following}::boolean and a.silenced_at is null and ${matches} limit ${sql.lit(maxCandidates)})
        ), ranked as (
          select id, bool_or(followed) as followed from found group by id
        )
        select a.id from ranked r join accounts a on a.id = r.id left join account_stats st on st.account_id = a.id
        order by
          lower(a.username) = ${args.username}::text desc,
          r.followed desc,
          starts_with(lower(a.username), ${args.username}::text) desc,
          st.followers_count desc nulls last,
          a.id
        limit ${args.limit}::int offset ${args.offset}::int`.compile(db),
  };
});

/**
 * Finds stored accounts by name or handle: an exact handle first, then followed accounts, then by how well the name's
 * beginning matches and by followers.
 */
export async function searchAccounts(app: App, search: AccountSearch): Promise<AccountId[]> {
  const text = search.text.trim();
  const exact = await findExactAccount(app, search);
  if (search.exact) return search.offset === 0 && search.limit > 0 && exact !== undefined ? [exact] : [];
  const args = buildPatterns(text);
  if (args === undefined || search.limit === 0) return [];
  const rows = await accountsByName(app, {
    ...args,
    viewer: search.viewerId ?? null,
    following: search.following,
    limit: search.limit,
    offset: search.offset,
  });
  const ids = rows.map(({ id }) => id);
  if (exact === undefined || search.offset > 0) return ids.filter((id) => id !== exact);
  return [exact, ...ids.filter((id) => id !== exact)].slice(0, search.limit);
}

async function findExactAccount(
  app: App,
  { text, viewerId, following }: AccountSearch,
): Promise<AccountId | undefined> {
  const account = await findAccountByAcct(app, text);
  if (account === undefined || account.suspended_at !== null || account.id === instanceActorId) return undefined;
  if (!following) return account.id;
  const follow = await app.db
    .selectFrom('follows')
    .select('id')
    .where('account_id', '=', viewerId ?? account.id)
    .where('target_account_id', '=', account.id)
    .executeTakeFirst();
  return follow === undefined ? undefined : account.id;
}

/** Returns the patterns that names must match; undefined if the text has no words. */
export function buildPatterns(
  text: string,
): Pick<Args, 'start' | 'inner' | 'rest' | 'domain' | 'username'> | undefined {
  const [handle, domain] = /^@?([\w.-]+)@([^\s@]+)$/u.exec(text)?.slice(1) ?? [];
  const plain = handle ?? text.replace(/^@/, '');
  const words = plain
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, maxWords);
  const [longest = '', ...rest] = words.toSorted((a, b) => b.length - a.length);
  if (longest === '') return undefined;
  const escaped = longest.replace(/[\\%_]/g, '\\$&');
  // The trigram index needs three characters: shorter words match only at the beginning of a name.
  const short = longest.length < 3 || domain !== undefined;
  return {
    start: `${escaped}%`,
    inner: domain !== undefined ? `${escaped}%` : short ? `% ${escaped}%` : `%${escaped}%`,
    rest: rest.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`),
    domain: domain === undefined ? null : `${domain.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`,
    username: plain.toLowerCase(),
  };
}
