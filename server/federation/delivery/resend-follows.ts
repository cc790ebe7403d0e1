import { defineJob } from '../../platform/work/define-job.ts';
import { later } from '../../platform/write/reactions.ts';
import { Type } from 'typebox';
import { accountKeysReplaced } from '../../accounts/index.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { noId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { sendFollows } from './deliver-relationships.ts';

const batchSize = 100;

/**
 * Sends a Follow again for each local follower of an account after its keys were replaced (reference/federation.tsv,
 * "remote account key change"). The follows remain unless the account rejects them.
 */
export const resendFollows = later('default', [accountKeysReplaced], {
  name: 'account.resend_follows',
  run: (app, { accountId }) =>
    transaction(app, async ({ enqueue }) => enqueue(resendFollowsBatch({ accountId, after: noId }))),
});

/** Sends the next batch of Follows, in the order of their ids. */
export const resendFollowsBatch = defineJob(
  'account.resend_follows_batch',
  Type.Object({ accountId: idSchema<'account'>(), after: idSchema<'row'>() }),
  async (app, { accountId, after }) => {
    const follows = await app.db
      .selectFrom('follows')
      .innerJoin('accounts as follower', 'follower.id', 'follows.account_id')
      .select(['follows.id', 'follows.account_id as accountId', 'follows.uri'])
      .where('follows.target_account_id', '=', accountId)
      .where('follower.domain', 'is', null)
      .where('follows.id', '>', after)
      .orderBy('follows.id')
      .limit(batchSize)
      .execute();
    const last = follows.at(-1);
    if (last === undefined) return;
    await transaction(app, async (tx) => {
      await sendFollows(
        tx,
        app,
        follows.map((row) => ({
          followId: row.id,
          followUri: row.uri,
          accountId: row.accountId,
          targetAccountId: accountId,
        })),
      );
      if (follows.length === batchSize) tx.enqueue(resendFollowsBatch({ accountId, after: last.id }));
    });
  },
);
