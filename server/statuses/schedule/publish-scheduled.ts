import { defineJob } from '../../platform/work/define-job.ts';
import { Type } from 'typebox';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { postStatus } from '../post/post-status.ts';
import { NotDueError } from './scheduled-statuses.ts';

/**
 * Posts a scheduled status at its time. Idempotent. One that cannot be posted (its parent was deleted, its author is
 * suspended) stays in the author's list, where it can be rescheduled or deleted.
 */
export const publishScheduled = defineJob(
  'status.publish_scheduled',
  Type.Object({ scheduledId: idSchema<'scheduled'>() }),
  async (app, { scheduledId }) => {
    const row = await app.db
      .selectFrom('scheduled_statuses')
      .selectAll()
      .where('id', '=', scheduledId)
      .where('scheduled_at', '<=', app.clock.now())
      .executeTakeFirst();
    if (row === undefined) return;
    const author = (await loadCachedAccounts(app, [row.account_id])).get(row.account_id);
    if (author === undefined || author.suspended) return;
    try {
      await postStatus(app, row.account_id, { ...row.params, scheduledId });
    } catch (error) {
      if (error instanceof NotDueError) return;
      if (!(error instanceof HttpError)) throw error;
      app.log.info({ err: error, scheduledId }, 'cannot post a scheduled status');
    }
  },
);
