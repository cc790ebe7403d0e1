import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { write } from '../platform/database/write.ts';
import type { StatusId } from '../platform/ids.ts';
import { enterLists, leaveLists } from './list-entries.ts';

/**
 * Those of these statuses, of their reblogs too when they are asked for, whose author stands in a list whose feed is
 * kept: one that is begun later is built with them.
 */
const wantedByLists = prepared<{ id: StatusId }>()((db, args: { ids: StatusId[]; withReblogs: boolean }) => ({
  compile: () =>
    sql<{ id: StatusId }>`
      select s.id from statuses s
      where s.id = any(array(
          select unnest(${args.ids}::bigint[]) union all
          select id from statuses where ${args.withReblogs}::boolean and reblog_of_id = any(${args.ids}::bigint[])))
        and s.visibility <> 'direct' and s.deleted_at is null and exists (
          select 1 from list_accounts m join list_feed_states h on h.list_id = m.list_id
          where m.account_id = s.account_id)`.compile(db),
}));

async function wantedAmong(
  app: App,
  statuses: readonly { readonly statusId: StatusId }[],
  { withReblogs }: { readonly withReblogs: boolean },
): Promise<StatusId[]> {
  const rows = await wantedByLists(app, { ids: statuses.map(({ statusId }) => statusId), withReblogs });
  return rows.map(({ id }) => id);
}

/** Brings statuses and reblogs to the lists that show their authors, however many followers these have. */
export async function fanOutToLists(app: App, posted: readonly { readonly statusId: StatusId }[]): Promise<void> {
  const ids = await wantedAmong(app, posted, { withReblogs: false });
  if (ids.length > 0) await write(app, (write) => enterLists(write, app, ids));
}

/** As `fanOutToLists`, after edits: what is in another language, or names others than before, may belong elsewhere. */
export async function fanOutEditsToLists(app: App, edited: readonly { readonly statusId: StatusId }[]): Promise<void> {
  const ids = await wantedAmong(app, edited, { withReblogs: true });
  if (ids.length === 0) return;
  await write(app, async (write) => {
    await leaveLists(write, ids);
    await enterLists(write, app, ids);
  });
}
