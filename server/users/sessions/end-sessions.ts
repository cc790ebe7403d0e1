import type { DeleteQueryBuilder, DeleteResult } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { sessionsEnded } from '../events.ts';

/** Sessions that one event names. */
const batchSize = 500;

/** Deletes sessions, so that their browsers are signed out at once, also of streams. Returns how many there were. */
export async function endSessions(
  { emit }: Transaction,
  deletion: DeleteQueryBuilder<Tables, 'sessions', DeleteResult>,
): Promise<number> {
  const rows = await deletion.returning('id').execute();
  const ids = rows.map(({ id }) => id);
  for (let start = 0; start < ids.length; start += batchSize)
    emit(sessionsEnded({ sessionIds: ids.slice(start, start + batchSize) }));
  return ids.length;
}
