import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { idSchema } from '../../platform/id-schema.ts';
import type { StatusId } from '../../platform/ids.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { isShareableAccount } from './shareable.ts';
import { storeEvents } from './store-events.ts';

/** Posts of one run. */
const batchSize = 500;

/** Announces the public posts of an account that withdrew its consent as deleted, newest first, unless it consents again. */
export const withdrawPosts = defineJob(
  'service_provider.withdraw_posts',
  Type.Object({ accountId: idSchema<'account'>(), before: idSchema<'status'>() }),
  async (app: App, { accountId, before }): Promise<void> =>
    transaction(app, async (tx) => {
      const { rows } = await sql<{ id: StatusId }>`
        select s.id from statuses s join accounts a on a.id = s.account_id
        where s.account_id = ${accountId}::bigint and s.id < ${before}::bigint and s.deleted_at is null
          and s.visibility = 'public' and s.reblog_of_id is null and (a.indexable and ${isShareableAccount}) is not true
        order by s.id desc limit ${batchSize}`.execute(tx.db);
      const last = rows.at(-1);
      if (last === undefined) return;
      await storeEvents(tx, app, {
        category: 'content',
        type: 'delete',
        find: () => sql<{ id: string }>`select id from unnest(${rows.map(({ id }) => id)}::bigint[]) as withdrawn (id)`,
      });
      if (rows.length === batchSize) tx.enqueue(withdrawPosts({ accountId, before: last.id }));
    }),
  'background',
);
