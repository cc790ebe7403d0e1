import { sql, type RawBuilder } from 'kysely';
import { blocksSql, followsSql, type AccountSql } from '../../relationships/rules/index.ts';
import type { Visibility } from '../tables.ts';
import { listReadableVisibilities } from './visibility.ts';

// The audience of the status `s` as SQL conditions. Each derives from visibility.ts or is compared with it by
// test/api/statuses/visibility-rules.test.ts.

/** Whether the status `s` mentions or addresses the viewer. */
export const isMentionedSql = (viewer: AccountSql): RawBuilder<boolean> => sql<boolean>`exists (
  select from mentions rule where rule.status_id = s.id and rule.account_id = ${viewer})`;

/**
 * Whether the viewer is in the audience of the status `s`. `readable`: the visibilities that need no mention (text[]).
 */
export const isInAudienceSql = (readable: RawBuilder<unknown>, viewer: AccountSql): RawBuilder<boolean> =>
  sql<boolean>`(s.visibility = any(${readable}) or ${isMentionedSql(viewer)})`;

/** Whether a local viewer who follows the author (or is the author) is in the audience of the status `s`. */
export const isInFollowerAudienceSql = (follower: AccountSql): RawBuilder<boolean> =>
  isInAudienceSql(readableByFollower, follower);

/**
 * Whether a local viewer (null: an anonymous one) is in the audience of the status `s`, regardless of blocks,
 * suspensions and deletion.
 */
export const isReadableSql = (viewer: AccountSql): RawBuilder<boolean> =>
  isInAudienceSql(
    sql`case when ${viewer} is null then ${readableByAnyone}
      when ${followsSql(viewer, sql`s.account_id`)} then ${readableByFollower} else ${readableHere} end`,
    viewer,
  );

/** The condition of `canSee`, for the status `s` and a local viewer. Null as viewer is anonymous. */
export const canSeeSql = (viewer: AccountSql): RawBuilder<boolean> => sql<boolean>`(
  exists (
    select from accounts author
    where author.id = s.account_id and author.suspended_at is null and author.deleted_at is null and author.activated)
  and (coalesce(s.account_id = ${viewer}, false) or (
    not ${blocksSql(sql`s.account_id`, viewer)}
    and ${isReadableSql(viewer)})))`;

/**
 * Whether a reply counts in the number of its parent: public and unlisted ones do, local-only ones of a local-only parent, and
 * imported ones of an imported parent. The number does not reveal others. `parents`: where parents are, with `id` and `visibility`.
 */
export const isCountedReplySql = (
  visibility: RawBuilder<unknown>,
  parentId: RawBuilder<unknown>,
  parents: RawBuilder<unknown> = sql`statuses`,
): RawBuilder<boolean> =>
  sql<boolean>`(${visibility} in ('public', 'unlisted') or (
    ${visibility} in ('local_public', 'local_unlisted', 'imported_public', 'imported_unlisted')
    and exists (select from ${parents} answered where answered.id = ${parentId}
      and split_part(answered.visibility, '_', 1) = split_part(${visibility}, '_', 1))))`;

const toLiteral = (visibilities: readonly Visibility[]): RawBuilder<unknown> =>
  sql`array[${sql.join(visibilities.map((visibility) => sql.lit(visibility)))}]`;
const readableByAnyone = toLiteral(listReadableVisibilities({}));
const readableHere = toLiteral(listReadableVisibilities({ isOfThisServer: true }));
const readableByFollower = toLiteral(listReadableVisibilities({ isOfThisServer: true, isFollower: true }));
