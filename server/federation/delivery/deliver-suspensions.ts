import { sql } from 'kysely';
import { Type } from 'typebox';
import { accountSuspended, accountUnsuspended } from '../../accounts/index.ts';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { inTransaction } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { type AccountId, noId, type RowId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { reject, remoteFollow, updateActor } from '../documents/activities.ts';
import { actorDocument } from '../documents/actor-document.ts';
import { actorContext } from '../documents/contexts.ts';
import { hasRelays, listRelayInboxes } from './deliver-to-relays.ts';
import { reachedInboxes } from './inboxes.ts';
import { onLocalProfile } from './on-local.ts';
import { signForForwarding } from './sign-for-forwarding.ts';
import { storeActivities, storeActivity } from './store-activity.ts';

/**
 * Sends the profile of a local account that was suspended or unsuspended to the servers that probably show its posts, and to
 * relays. While it is suspended, the profile has only its name, and `suspended`.
 */
async function deliverSuspension(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  const account = await findAccount(app, accountId);
  if (account === undefined || account.domain !== null || !account.activated) return;
  const activity = updateActor(await actorDocument(app, account), app.clock.now());
  const relays = await listRelayInboxes(app, 'mastodon');
  const update = { activity, context: actorContext };
  const signed = await signForForwarding(app, accountId, update, await hasRelays(app));
  await transaction(app, async (tx) => {
    const inboxes = [...(await reachedInboxes(tx.db, accountId)), ...relays];
    await storeActivity(tx, app, {
      senderId: accountId,
      ...signed,
      inboxes,
      orderKey: account.uri,
      isAboutSuspension: true,
    });
  });
}

const batchSize = 100;

/**
 * Rejects the follows of a remote account that staff suspended, so that its server does not show it the private posts that
 * the server receives for other followers. The follows stay stored, without effect, until staff lift the suspension.
 */
const rejectFollows = defineJob(
  'account.reject_follows',
  Type.Object({ accountId: idSchema<'account'>(), after: idSchema<'row'>() }),
  async (app, { accountId, after }) => {
    const account = await findAccount(app, accountId);
    if (account === undefined || account.inbox_url === null || account.suspension_origin !== 'local') return;
    const { uri, inbox_url: inbox } = account;
    const follows = await listFollows(app, accountId, after);
    const last = follows.at(-1);
    if (last === undefined) return;
    await transaction(app, async (tx) => {
      await storeActivities(
        tx,
        app,
        follows.map((follow) => ({
          senderId: follow.targetId,
          activity: reject(follow.target, follow.id, remoteFollow(uri, follow.uri, follow.target)),
          inboxes: [inbox],
          orderKey: `relation ${accountId} ${follow.targetId}`,
        })),
      );
      if (follows.length === batchSize) tx.enqueue(rejectFollows({ accountId, after: last.id }));
    });
  },
);

interface FollowRow {
  readonly id: RowId;
  /** Id of the Follow. */
  readonly uri: string | null;
  readonly targetId: AccountId;
  readonly target: string;
}

async function listFollows({ db }: App, accountId: AccountId, after: RowId): Promise<FollowRow[]> {
  const { rows } = await sql<FollowRow>`
    select follow.id, follow.uri, target.id as "targetId", target.uri as target
    from follows follow join accounts target on target.id = follow.target_account_id
    where follow.account_id = ${accountId}::bigint and follow.id > ${after}::bigint and target.domain is null
    order by follow.id limit ${batchSize}::int`.execute(db);
  return rows;
}

export const suspensionDeliveries: readonly Subscription[] = [
  ...onLocalProfile([accountSuspended, accountUnsuspended], {
    name: 'account.deliver_suspension',
    run: deliverSuspension,
  }),
  inTransaction([accountSuspended], {
    runBatch: async (tx, _app, suspensions) => {
      const byStaff = suspensions.filter(({ suspensionId }) => suspensionId !== undefined);
      if (byStaff.length === 0) return;
      const remote = await tx.db
        .selectFrom('accounts')
        .select('id')
        .where('domain', 'is not', null)
        .where(sql<boolean>`id = any(${byStaff.map(({ accountId }) => accountId)}::bigint[])`)
        .execute();
      for (const { id } of remote) tx.enqueue(rejectFollows({ accountId: id, after: noId }));
    },
  }),
  rejectFollows.subscription,
];
