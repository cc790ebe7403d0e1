import { sql, type Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pageEnds, type PageEnds } from '../../platform/database/paged-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId } from '../../platform/ids.ts';
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
/** Returns a page of the audit log, newest first. */
export async function listEntries(
  app: App,
  page: Page,
  { staffId, action, targetType, targetId }: EntryFilters,
): Promise<{ readonly entries: AuditEntry[] } & PageEnds> {
  // Each set of filters is a statement of its own, so that PostgreSQL chooses the index of one of them.
  const { limit, maxId, sinceId, minId } = page;
  const above = minId ?? sinceId;
  const found = await app.db
    .selectFrom('audit_log')
    .selectAll()
    .$if(maxId !== undefined, (query) => query.where(sql<boolean>`id < ${maxId}::bigint`))
    .$if(above !== undefined, (query) => query.where(sql<boolean>`id > ${above}::bigint`))
    .$if(staffId !== undefined, (query) => query.where(sql<boolean>`staff_id = ${staffId}`))
    .$if(action !== undefined, (query) => query.where(sql<boolean>`action = ${action}`))
    .$if(targetType !== undefined, (query) => query.where(sql<boolean>`target_type = ${targetType}`))
    .$if(targetId !== undefined, (query) => query.where(sql<boolean>`target_id = ${targetId}`))
    .orderBy('id', minId === undefined ? 'desc' : 'asc')
    .limit(limit)
    .execute();
  const rows = minId === undefined ? found : found.toReversed();
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
