import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { RelationshipSeveranceEvent, SeveranceId } from './schema.ts';

/** Presents severances by id. Unknown ones are left out. */
export async function presentSeverances(
  app: App,
  ids: readonly SeveranceId[],
): Promise<Map<SeveranceId, RelationshipSeveranceEvent>> {
  if (ids.length === 0) return new Map();
  const rows = await app.db
    .selectFrom('relationship_severances')
    .select(['id', 'type', 'target_name', 'followers_count', 'following_count', 'created_at'])
    .where('id', '=', sql<SeveranceId>`any(${ids}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, { ...row, purged: true, created_at: row.created_at.toISOString() }]));
}
