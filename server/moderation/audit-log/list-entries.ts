import { sql, type Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pageEnds, pagedQuery, type PageEnds } from '../../platform/database/paged-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId, RowId } from '../../platform/ids.ts';
import type { ModerationTables } from '../tables.ts';
import type { AuditEntry } from './schema.ts';

/** Which entries to list; absent: all. */
export interface EntryFilters {
  /** The account of the staff member. */
  readonly staffId?: AccountId | undefined;
  /** An action such as `domain_block.create`. */
  readonly action?: string | undefined;
  /** A kind of target, such as `account`. */
  readonly targetType?: string | undefined;
  readonly targetId?: string | undefined;
}

type EntryRow = Selectable<ModerationTables['audit_log']>;
type Args = { readonly [Name in keyof EntryFilters]-?: string | null };

const entries = pagedQuery<EntryRow>()<Args>((db, args, order) =>
  db
    .selectFrom('audit_log')
    .selectAll()
    .where('id', '<', args.below as RowId)
    .where('id', '>', args.above as RowId)
    .where(sql<boolean>`(${args.staffId}::bigint is null or staff_id = ${args.staffId}::bigint)`)
    .where(sql<boolean>`(${args.action}::text is null or action = ${args.action}::text)`)
    .where(sql<boolean>`(${args.targetType}::text is null or target_type = ${args.targetType}::text)`)
    .where(sql<boolean>`(${args.targetId}::text is null or target_id = ${args.targetId}::text)`)
    .orderBy(sql`id ${order}`)
    .limit(sql<number>`${args.limit}`),
);

/** Returns a page of the audit log, newest first. */
export async function listEntries(
  app: App,
  page: Page,
  { staffId, action, targetType, targetId }: EntryFilters,
): Promise<{ readonly entries: AuditEntry[] } & PageEnds> {
  const rows = await entries(app, page, {
    staffId: staffId ?? null,
    action: action ?? null,
    targetType: targetType ?? null,
    targetId: targetId ?? null,
  });
  return { entries: rows.map(present), ...pageEnds(page, rows) };
}

const present = (row: EntryRow): AuditEntry => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  staff: row.staff_name === null ? null : { id: row.staff_id, username: row.staff_name },
  action: row.action,
  target: { type: row.target_type, id: row.target_id, label: row.target_label },
  before: row.before,
  after: row.after,
});
