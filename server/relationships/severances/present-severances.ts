import { sql, type Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { RelationshipTables } from '../tables.ts';
import type { RelationshipSeveranceEvent, SeveranceId } from './schema.ts';

export const shownColumns = [
  'id',
  'type',
  'target_name',
  'followers_count',
  'following_count',
  'purged',
  'created_at',
] as const;

/** The columns that a severance shows. */
export type SeveranceRow = Pick<
  Selectable<RelationshipTables['relationship_severances']>,
  (typeof shownColumns)[number]
>;

export const presentSeverance = (row: SeveranceRow): RelationshipSeveranceEvent => ({
  ...row,
  created_at: row.created_at.toISOString(),
});

/** Presents severances by id. Unknown ones are left out. */
export async function presentSeverances(
  app: App,
  ids: readonly SeveranceId[],
): Promise<Map<SeveranceId, RelationshipSeveranceEvent>> {
  if (ids.length === 0) return new Map();
  const rows = await app.db
    .selectFrom('relationship_severances')
    .select(shownColumns)
    .where('id', '=', sql<SeveranceId>`any(${ids}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, presentSeverance(row)]));
}
