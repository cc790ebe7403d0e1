import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { namesOf } from '../../platform/known-names.ts';
import { countTrendsToReview } from '../../trends/index.ts';
import { hasPermission, type Permission } from '../../users/access/index.ts';
import { maxCounted, type AdminCounts } from './schema.ts';

/** The permission that shows a number. */
export const countPermissions: Readonly<Record<keyof AdminCounts, Permission>> = {
  reports: 'manage_reports',
  held_posts: 'manage_reports',
  sign_ups: 'manage_users',
  appeals: 'manage_appeals',
  trends: 'manage_taxonomies',
  failed_jobs: 'view_devops',
  failing_hosts: 'manage_federation',
};

/** The rows of a number that is counted in the database. Each has a partial index, or a table that is small. */
const countedRows: Readonly<Record<Exclude<keyof AdminCounts, 'trends'>, RawBuilder<unknown>>> = {
  reports: sql`from reports where action_taken_at is null`,
  held_posts: sql`from held_posts where state = 'pending'`,
  sign_ups: sql`from users join accounts on accounts.id = users.account_id
    where not users.approved and accounts.deleted_at is null`,
  appeals: sql`from appeals where state = 'pending'`,
  failed_jobs: sql`from jobs where last_error is not null and exhausted_at is not null`,
  failing_hosts: sql`from hosts where failing_since is not null`,
};

/** Returns how much waits for a member of the staff. Numbers that the role may not see are null. One statement. */
export async function countForStaff(app: App, viewer: { readonly permissions: bigint }): Promise<AdminCounts> {
  const isVisible = (name: keyof AdminCounts): boolean => hasPermission(viewer, countPermissions[name]);
  const columns = namesOf(countedRows).map((name) => {
    if (!isVisible(name)) return sql`null::int as ${sql.ref(name)}`;
    return sql`(select count(*)::int from (select ${countedRows[name]} limit ${sql.lit(maxCounted)}) counted)
      as ${sql.ref(name)}`;
  });
  const [{ rows }, trends] = await Promise.all([
    sql<Omit<AdminCounts, 'trends'>>`select ${sql.join(columns)}`.execute(app.db),
    isVisible('trends') ? countTrendsToReview(app, maxCounted) : null,
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error('the counts have no row');
  return { ...row, trends };
}
