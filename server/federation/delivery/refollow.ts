import { defineJob } from '../../platform/jobs/define-job.ts';
import { on } from '../../platform/events/reactions.ts';
import { Type } from 'typebox';
import { accountKeysReplaced } from '../../accounts/index.ts';
import { write } from '../../platform/database/write.ts';
import { idSchema } from '../../platform/ids.ts';
import { sendFollow } from './deliver-relationships.ts';

/** Followers of one step. */
const batchSize = 100;

/**
 * Sends a Follow again for each local follower of an account whose keys were replaced (reference/federation.tsv, "remote
 * account key change"). The follows stay as they are; a Reject ends them.
 */
export const refollow = on([accountKeysReplaced], {
  name: 'refollow',
  run: (app, { accountId }) =>
    write(app, async ({ enqueue }) => enqueue(refollowStep({ accountId, after: '0' as never }))),
});

/** Follows of a remote account by local ones, in the order of their ids. */
export const refollowStep = defineJob(
  'refollow-step',
  Type.Object({ accountId: idSchema<'account'>(), after: idSchema<'row'>() }),
  async (app, { accountId, after }) => {
    const follows = await app.db
      .selectFrom('follows')
      .innerJoin('accounts as follower', 'follower.id', 'follows.account_id')
      .select(['follows.id', 'follows.account_id as accountId'])
      .where('follows.target_account_id', '=', accountId)
      .where('follower.domain', 'is', null)
      .where('follows.id', '>', after)
      .orderBy('follows.id')
      .limit(batchSize)
      .execute();
    const last = follows.at(-1);
    if (last === undefined) return;
    await write(app, async (transaction) => {
      for (const follow of follows) await sendFollow(transaction, app, { ...follow, targetAccountId: accountId });
      if (follows.length === batchSize) transaction.enqueue(refollowStep({ accountId, after: last.id }));
    });
  },
);
