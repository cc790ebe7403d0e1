import { sql, type Selectable } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { PollId } from '../platform/ids.ts';
import type { PollTables } from './tables.ts';

export type PollRow = Selectable<PollTables['polls']>;

const rows = prepared<PollRow>()((db, { ids }: { ids: readonly PollId[] }) =>
  db
    .selectFrom('polls')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::bigint[])`),
);

/** Polls by their ids, in one statement, none for no ids; unknown ones are missing. Does not decide who may see them. */
export async function findPolls(app: App, ids: readonly PollId[]): Promise<Map<PollId, PollRow>> {
  if (ids.length === 0) return new Map();
  return new Map((await rows(app, { ids })).map((row) => [row.id, row]));
}
