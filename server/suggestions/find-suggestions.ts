import { sql } from 'kysely';
import { parseHandle } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { AccountId } from '../platform/ids.ts';
import { blocksDomain, isUnwanted, loadAccountRelations } from '../relationships/rules/index.ts';
import { siteSettings } from '../site/index.ts';
import { isSuggestible } from './suggestible.ts';

/** Why an account is suggested, the most important reason first. */
const reasons = [
  'staff',
  'interactions',
  'friends_of_friends',
  'recommended',
  'most_followed',
  'most_interactions',
] as const;
type Reason = (typeof reasons)[number];

/** An account that is suggested, with its reasons, the most important first. */
export interface FoundSuggestion {
  readonly id: AccountId;
  readonly reasons: readonly Reason[];
}

interface CandidateRow {
  readonly id: AccountId;
  readonly domain: string | null;
  readonly reason: Reason;
}

interface CandidateArgs {
  readonly viewerId: AccountId;
  /** Usernames in lower case, and domains (empty: local), of the accounts that staff recommend. */
  readonly usernames: readonly string[];
  readonly domains: readonly string[];
}

/**
 * All candidates, best first. A reply counts 1, a favourite 10 and a reblog 20 (SUG-01). Of accounts with the same score,
 * the one with the newest post comes first. Everything is bounded: the last 200 favourites and statuses of the viewer, and
 * the last 50 follows of the last 100 accounts that it follows, unless they hide them.
 */
const candidates = preparedQuery<CandidateRow>()((db, args: CandidateArgs) => ({
  compile: () =>
    sql<CandidateRow>`
      with interaction as (
        select action.target_id, sum(action.weight) as score
        from (
          select s.account_id as target_id, 10 as weight
          from (
            select status_id from favourites where account_id = ${args.viewerId}::bigint order by id desc limit 200
          ) favourite
          join statuses s on s.id = favourite.status_id
          union all
          select coalesce(original.account_id, own.in_reply_to_account_id),
            case when own.reblog_of_id is null then 1 else 20 end
          from (
            select reblog_of_id, in_reply_to_account_id from statuses
            where account_id = ${args.viewerId}::bigint and deleted_at is null order by id desc limit 200
          ) own
          left join statuses original on original.id = own.reblog_of_id
        ) action
        where action.target_id is not null
        group by action.target_id
      ), friend_of_friend as (
        select second.target_account_id as target_id, count(*) as score
        from (
          select target_account_id from follows where account_id = ${args.viewerId}::bigint order by id desc limit 100
        ) first
        join accounts friend on friend.id = first.target_account_id
          and friend.hide_collections is not true and friend.suspended_at is null
        cross join lateral (
          select target_account_id from follows where account_id = first.target_account_id order by id desc limit 50
        ) second
        group by second.target_account_id
        order by score desc limit 200
      ), candidate as (
        select a.id, 'staff' as reason, -pick.position as score
        from unnest(${args.usernames}::text[], ${args.domains}::text[]) with ordinality as pick(username, domain, position)
        join accounts a on lower(a.username) = pick.username and coalesce(a.domain, '') = pick.domain
        union all
        select target_id, 'interactions', score from interaction
        union all
        select target_id, 'friends_of_friends', score from friend_of_friend
        union all
        select target_account_id, 'recommended', -min(place) from service_provider_recommendations
        where account_id = ${args.viewerId}::bigint group by target_account_id
        union all
        select account_id, source, score from popular_accounts
      )
      select a.id, a.domain, candidate.reason
      from candidate
      join accounts a on a.id = candidate.id
      left join account_stats stats on stats.account_id = a.id
      where ${isSuggestible} and a.id <> ${args.viewerId}::bigint
        and (a.discoverable or candidate.reason in ('staff', 'interactions'))
        and not exists (
          select from follows where account_id = ${args.viewerId}::bigint and target_account_id = a.id)
        and not exists (
          select from follow_requests where account_id = ${args.viewerId}::bigint and target_account_id = a.id)
        and not exists (
          select from dismissed_suggestions where account_id = ${args.viewerId}::bigint and target_account_id = a.id)
      order by candidate.score desc, stats.last_status_at desc nulls last, a.id desc`.compile(db),
}));

/**
 * Returns all accounts that are suggested to the viewer, best first: those that staff recommend, those that the viewer
 * interacts with, those that the accounts it follows follow, those that service providers recommend, and popular ones. Leaves out accounts that the viewer follows,
 * blocks, mutes or dismissed, that block the viewer, and that are on domains which it blocks.
 */
export async function findSuggestions(app: App, viewerId: AccountId): Promise<FoundSuggestion[]> {
  const [{ suggestedAccounts }, relations] = await Promise.all([
    siteSettings(app),
    loadAccountRelations(app, viewerId),
  ]);
  const handles = suggestedAccounts.flatMap((handle) => parseHandle(app, handle) ?? []);
  const rows = await candidates(app, {
    viewerId,
    usernames: handles.map(({ username }) => username.toLowerCase()),
    domains: handles.map(({ domain }) => domain ?? ''),
  });
  const shown = rows.filter(
    ({ id, domain }) => !isUnwanted(relations, id) && !relations.blockedBy.has(id) && !blocksDomain(relations, domain),
  );
  const sorted = reasons.flatMap((reason) => shown.filter((row) => row.reason === reason));
  return [...Map.groupBy(sorted, ({ id }) => id)].map(([id, same]) => ({
    id,
    reasons: same.map(({ reason }) => reason),
  }));
}
