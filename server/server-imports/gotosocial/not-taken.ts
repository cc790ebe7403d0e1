import { copiedTables } from './copied-tables.ts';
import type { CountedLoss } from '../count-rows.ts';
import type { GotosocialSource } from './gotosocial-source.ts';

const rebuilt = 'Fieldfare builds its own';
const shortLived = 'short-lived';
const nothingLike = 'Fieldfare has nothing like it';

/** Tables that are not imported, with the reason. */
export const gotosocialNotTaken: ReadonlyMap<string, string> = new Map(
  Object.entries({
    account_to_emojis: rebuilt,
    advanced_migrations: 'of GoToSocial',
    bun_migration_locks: 'of GoToSocial',
    bun_migrations: 'of GoToSocial',
    clients: 'apps have what it contains',
    denied_users: 'sign-ups that were refused may be sent again',
    domain_permission_drafts: 'drafts must be decided before the move',
    domain_permission_excludes: nothingLike,
    header_filter_allows: nothingLike,
    header_filter_blocks: nothingLike,
    router_sessions: shortLived,
    sin_bin_statuses: 'copies of rejected posts',
    status_mutes: 'of old versions, which muted threads since',
    status_to_emojis: rebuilt,
    thread_to_statuses: 'posts have their thread',
    worker_tasks: 'wait until GoToSocial has sent what is queued',
  }),
);

/** Counts the rows of tables that are not imported, also of those that this version does not know. */
export async function countLosses({ tables, count }: GotosocialSource): Promise<CountedLoss[]> {
  const losses: CountedLoss[] = [];
  for (const from of [...tables.keys()].toSorted()) {
    if (copiedTables.has(from)) continue;
    const rows = await count(from);
    if (rows > 0)
      losses.push({
        from,
        reason: gotosocialNotTaken.get(from) ?? 'this version does not know the table',
        count: rows,
      });
  }
  return losses;
}
