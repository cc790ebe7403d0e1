import type { Transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { statusChanged } from '../events.ts';
import { writable } from '../tables.ts';

/** Removes the mark of a status as sensitive that a moderation rule set. One with a content warning keeps it. */
export async function unmarkSensitive({ db, emit }: Transaction, id: StatusId): Promise<void> {
  const row = await writable(db)
    .updateTable('statuses')
    .set({ sensitive: false })
    .where('id', '=', id)
    .where('sensitive', '=', true)
    .where('spoiler_text', '=', '')
    .returning('id')
    .executeTakeFirst();
  if (row !== undefined) emit(statusChanged({ statusId: id }));
}
