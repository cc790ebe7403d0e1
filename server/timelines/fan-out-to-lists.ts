import { defineJob } from '../platform/jobs/define-job.ts';
import { sql } from 'kysely';
import { Type, type Static } from 'typebox';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { write } from '../platform/database/write.ts';
import { idSchema, type StatusId } from '../platform/ids.ts';
import { feedLimits } from './feed-limits.ts';
import { enterLists, start } from './list-entries.ts';

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
  if (ids.length > 0) await fanOutStep(app, { ids, edited: false, after: start });
}

/** As `fanOutToLists`, after edits: what is in another language, or names others than before, may belong elsewhere. */
export async function fanOutEditsToLists(app: App, edited: readonly { readonly statusId: StatusId }[]): Promise<void> {
  const ids = await wantedAmong(app, edited, { withReblogs: true });
  if (ids.length > 0) await fanOutStep(app, { ids, edited: true, after: start });
}

const account = idSchema<'account'>();
const step = Type.Object({
  ids: Type.Array(idSchema<'status'>()),
  edited: Type.Boolean(),
  after: Type.Object({ accountId: account, ownerId: account }),
});

const fanOutFurther = defineJob('feeds-fan-out-lists-further', step, fanOutStep, 'feeds');
export const fanOutToListsJob = fanOutFurther.subscription;

/** One chunk of the places that the authors have in lists, in one statement; stores the next chunk as a job. */
async function fanOutStep(app: App, { ids, edited, after }: Static<typeof step>): Promise<void> {
  const { chunk } = feedLimits(app);
  await write(app, async (write) => {
    const reached = await enterLists(write, app, ids, { edited, after, most: chunk });
    if (reached !== undefined) write.enqueue(fanOutFurther({ ids, edited, after: reached }));
  });
}
