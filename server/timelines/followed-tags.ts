import { defineJob } from '../platform/jobs/define-job.ts';
import { sql, type RawBuilder } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction } from '../platform/database/transaction.ts';
import { idSchema, type AccountId, type StatusId, type TagId } from '../platform/ids.ts';
import { involvedAccounts, isInExclusiveList, hasNoBlockedOrMuted } from './belongs-in-home.ts';
import { feedLimits } from './feed-limits.ts';
import { walkSources, type EntryRow } from './walk-sources.ts';

/**
 * Whether the status `s`, which has a hashtag that `f.account_id` follows, belongs in its home for that (TAG-02): public
 * posts, replies included, that involve nobody whom the reader blocks or mutes; not by those who block the reader, stand
 * in an exclusive list of its, or live on a server that it hides; not of silenced authors, who are found only by their
 * followers; nor in a language that the reader's follow of the author leaves out.
 */
export function belongsInHomeByTag(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(
    s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
    and ${hasNoBlockedOrMuted(now)}
    and not ${isInExclusiveList(sql`s.account_id`)}
    and not exists (
      select 1 from blocks b where b.account_id = s.account_id and b.target_account_id = f.account_id)
    and not exists (
      select 1 from follows r where r.account_id = f.account_id and r.target_account_id = s.account_id
        and not s.language = any(r.languages))
    and exists (
      select 1 from accounts a where a.id = s.account_id and a.silenced_at is null and not exists (
        select 1 from account_domain_blocks d where d.account_id = f.account_id and d.domain = a.domain))
  )`;
}

/** A stretch of what followed hashtags bring to a home. */
export interface TagGraphArgs {
  readonly accountId: AccountId;
  /** Only of these followed hashtags; null for all. */
  readonly tags: readonly TagId[] | null;
  readonly after: StatusId;
  readonly before: StatusId;
  readonly count: number;
  readonly now: Date;
}

/** The first `count` entries of the stretch, each once: a post with several of the hashtags comes by the first of them. */
export function tagGraphQuery(direction: 'asc' | 'desc', args: TagGraphArgs): RawBuilder<EntryRow> {
  const isWanted = (tag: RawBuilder<unknown>) =>
    sql<boolean>`(${args.tags}::bigint[] is null or ${tag} = any(${args.tags}::bigint[]))`;
  return walkSources(direction, {
    sources: sql`
      select account_id, tag_id from tag_follows
      where account_id = ${args.accountId}::bigint and ${isWanted(sql`tag_id`)}`,
    posts: sql`
      from status_tags t join statuses s on s.id = t.status_id ${involvedAccounts}
      where t.tag_id = f.tag_id and t.status_id > ${args.after}::bigint and t.status_id < ${args.before}::bigint
        and not exists (
          select 1 from status_tags other join tag_follows w on w.tag_id = other.tag_id and w.account_id = f.account_id
          where other.status_id = t.status_id and other.tag_id < t.tag_id and ${isWanted(sql`other.tag_id`)})
        and ${belongsInHomeByTag(args.now)}`,
    count: sql`${args.count}::int`,
  });
}

const minAccountId = '-9223372036854775808' as AccountId;

/** Those of these statuses that are public and have a hashtag which somebody follows. */
const followedTagStatusRows = preparedQuery<{ id: StatusId }>()((db, { ids }: { ids: StatusId[] }) => ({
  compile: () =>
    sql<{ id: StatusId }>`
      select s.id from statuses s
      where s.id = any(${ids}::bigint[]) and s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
        and exists (
          select 1 from status_tags st join tag_follows f on f.tag_id = st.tag_id where st.status_id = s.id)`.compile(
      db,
    ),
}));

/** Brings public posts to the feeds of those who follow one of their hashtags. */
export async function fanOutToTagFollowers(
  app: App,
  posted: readonly { readonly statusId: StatusId }[],
): Promise<void> {
  for (const { id } of await followedTagStatusRows(app, { ids: posted.map(({ statusId }) => statusId) })) {
    await fanOutBatch(app, { statusId: id, above: minAccountId });
  }
}

const fanOutNextBatch = defineJob(
  'feed.fan_out_to_tag_followers',
  Type.Object({ statusId: idSchema<'status'>(), above: idSchema<'account'>() }),
  fanOutBatch,
  'feeds',
);
export const fanOutToTagFollowersJob = fanOutNextBatch.subscription;

/** One chunk of followers by their ids, in one statement; stores the next chunk as a job. */
async function fanOutBatch(app: App, { statusId, above }: { statusId: StatusId; above: AccountId }): Promise<void> {
  const { fanOutBatchSize } = feedLimits(app);
  await transaction(app, async ({ db, enqueue }) => {
    const { rows } = await sql<{ last: AccountId | null; seen: number }>`
      with post as materialized (
        select s.*, p.people from statuses s ${involvedAccounts} where s.id = ${statusId}::bigint
      ), followers as materialized (
        select distinct account_id from tag_follows
        where tag_id = any(array(select tag_id from status_tags where status_id = ${statusId}::bigint))
          and account_id > ${above}::bigint
        order by account_id limit ${fanOutBatchSize}::int
      ), written as (
        insert into home_feed (account_id, status_id)
        select f.account_id, s.id
        from post s cross join lateral (select s.people) p
        cross join followers f join home_feed_states h on h.account_id = f.account_id
        where ${belongsInHomeByTag(app.clock.now())}
        on conflict do nothing
      )
      select max(account_id) as last, count(*)::int as seen from followers`.execute(db);
    const [result] = rows;
    if (result?.last && result.seen === fanOutBatchSize) enqueue(fanOutNextBatch({ statusId, above: result.last }));
  });
}
