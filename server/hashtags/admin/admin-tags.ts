import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { invalidField, notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { CurrentUser } from '../../platform/http/routes.ts';
import type { TagId } from '../../platform/ids.ts';
import type { Staff } from '../../site/index.ts';
import { reviewTag, type TagDecision, type TagRow } from '../../tags/index.ts';
import { normalizeTag } from '../../text/index.ts';
import { presentTags } from '../present-tags.ts';
import type { AdminTag } from './schema.ts';

interface ReviewedTagRow {
  readonly id: TagId;
  readonly trendable: boolean | null;
  readonly usable: boolean;
  readonly listable: boolean;
  readonly requires_review: boolean;
}

const reviewedTagRows = preparedQuery<ReviewedTagRow>()((db, { names }: { names: readonly string[] }) =>
  db
    .selectFrom('tags')
    .select(['id', 'trendable', 'usable', 'listable', sql<boolean>`reviewed_at is null`.as('requires_review')])
    .where(sql<boolean>`name = any(${names}::text[])`),
);

/** Returns hashtags by their normalised names, with what staff decided about them. */
export async function presentAdminTags(app: App, viewer: CurrentUser, names: readonly string[]): Promise<AdminTag[]> {
  const [tags, rows] = await Promise.all([presentTags(app, viewer, names), reviewedTagRows(app, { names })]);
  const rowById = new Map<string, ReviewedTagRow>(rows.map((row) => [row.id, row]));
  return tags.flatMap((tag) => {
    const row = rowById.get(tag.id);
    if (row === undefined) return [];
    const { trendable, usable, listable, requires_review } = row;
    return [{ ...tag, trendable: trendable ?? false, usable, listable, requires_review }];
  });
}

/** Lists all hashtags, newest first. */
export async function listTags(app: App, { limit, maxId, sinceId, minId }: Page): Promise<TagRow[]> {
  const rows = await app.db
    .selectFrom('tags')
    .select(['id', 'name', 'display_name'])
    .$if(maxId !== undefined, (query) => query.where(sql<boolean>`id < ${maxId}::bigint`))
    .$if(sinceId !== undefined, (query) => query.where(sql<boolean>`id > ${sinceId}::bigint`))
    .$if(minId !== undefined, (query) => query.where(sql<boolean>`id > ${minId}::bigint`))
    .orderBy('id', minId === undefined ? 'desc' : 'asc')
    .limit(limit)
    .execute();
  return minId === undefined ? rows : rows.toReversed();
}

/**
 * Stores what staff decide about a hashtag. Throws 404 for an unknown one, 422 if the new spelling is another hashtag.
 * Mastodon accepts other accents as well, but here #cafe and #café are two hashtags.
 */
export async function updateTag(app: App, staff: Staff, tag: TagRow, decision: TagDecision): Promise<void> {
  const { displayName } = decision;
  if (displayName !== undefined && normalizeTag(displayName) !== tag.name)
    throw invalidField('display_name', 'problems.differsMoreThanCase');
  await transaction(app, (tx) =>
    reviewTag(tx, app, staff, {
      ...decision,
      id: tag.id,
      ...(displayName !== undefined && { displayName: displayName.replace(/^[#＃]/u, '') }),
    }),
  );
}

/** Returns one hashtag with what staff decided about it. Throws 404 for an unknown one. */
export async function presentAdminTag(app: App, viewer: CurrentUser, { name }: TagRow): Promise<AdminTag> {
  const [tag] = await presentAdminTags(app, viewer, [name]);
  if (tag === undefined) throw notFound();
  return tag;
}
