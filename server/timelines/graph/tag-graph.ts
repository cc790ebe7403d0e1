import { sql, type RawBuilder } from 'kysely';
import type { AccountId, StatusId, TagId } from '../../platform/ids.ts';
import { belongsInHomeByTag, involvedAccounts } from './belongs-in-home.ts';
import { walkSources, type EntryRow } from './walk-sources.ts';

/** A range of the statuses with followed hashtags. */
export interface TagGraphArgs {
  readonly accountId: AccountId;
  /** Some of the followed hashtags; null for all. */
  readonly tags: readonly TagId[] | null;
  readonly after: StatusId;
  readonly before: StatusId;
  readonly count: number;
  readonly now: Date;
}

/** Selects the first `count` entries of a range. A status with several of the hashtags comes once, by the lowest tag id. */
export function tagGraphQuery(direction: 'asc' | 'desc', args: TagGraphArgs): RawBuilder<EntryRow> {
  const isIncluded = (tag: RawBuilder<unknown>) =>
    sql<boolean>`(${args.tags}::bigint[] is null or ${tag} = any(${args.tags}::bigint[]))`;
  return walkSources(direction, {
    sources: sql`
      select account_id, tag_id from tag_follows
      where account_id = ${args.accountId}::bigint and ${isIncluded(sql`tag_id`)}`,
    posts: sql`
      from status_tags t join statuses s on s.id = t.status_id ${involvedAccounts}
      where t.tag_id = f.tag_id and t.status_id > ${args.after}::bigint and t.status_id < ${args.before}::bigint
        and not exists (
          select 1 from status_tags other join tag_follows w on w.tag_id = other.tag_id and w.account_id = f.account_id
          where other.status_id = t.status_id and other.tag_id < t.tag_id and ${isIncluded(sql`other.tag_id`)})
        and ${belongsInHomeByTag(args.now)}`,
    count: sql`${args.count}::int`,
  });
}
