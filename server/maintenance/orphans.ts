import { sql } from 'kysely';
import type { StatusId } from '../platform/ids.ts';
import { deleteFeedEntries } from '../timelines/index.ts';
import { nextCursor, type Check } from './checks.ts';

const pageSize = 1_000;

/** A post that an entry refers to. */
interface ReferredStatus {
  readonly id: string;
  readonly isMissing: boolean;
}

export const feedOrphans: Check = {
  name: 'feed-orphans',
  description: 'Entries of stored timelines whose post no longer exists',
  async examine({ db }, after) {
    const { rows } = await sql<ReferredStatus>`
      with entry as (
        (select distinct status_id from home_feed where status_id > ${after}::bigint order by status_id limit ${pageSize})
        union
        (select distinct status_id from list_feed where status_id > ${after}::bigint order by status_id limit ${pageSize})
        order by status_id limit ${pageSize})
      select status_id as id, not exists (select from statuses where id = status_id) as "isMissing"
      from entry order by status_id`.execute(db);
    const ids = rows.map(({ id }) => id);
    const wrong = rows.filter(({ isMissing }) => isMissing).map(({ id }) => id);
    return { wrong, next: nextCursor(ids, pageSize) };
  },
  async repair(tx, ids) {
    await deleteFeedEntries(tx, ids as readonly StatusId[]);
    return ids.length;
  },
};
