import { on } from '../platform/events/reactions.ts';
import { defineJob } from '../platform/jobs/define-job.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { accountMoved, acctOf, findAccount, noteWhyHidden } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { write as inTransaction } from '../platform/database/write.ts';
import { Problem } from '../platform/http/problems.ts';
import { idSchema, type AccountId, type RowId } from '../platform/ids.ts';
import { blockAccount } from './block-account.ts';
import { followCarriedOver } from './events.ts';
import { followAccount } from './follow-account.ts';
import { muteAccount } from './mute-account.ts';
import { unfollowAccount } from './unfollow-account.ts';

/** Accounts of one step. */
const atOnce = 50;
const first = '9223372036854775807' as RowId;

const pair = { accountId: idSchema<'account'>(), targetAccountId: idSchema<'account'>() };

/** When an account moves, its followers of this server follow the new one, and who hid it here goes on hiding it. */
export const followAlong = on([accountMoved], {
  name: 'relationships.follow-along',
  queue: 'background',
  run: (app, { accountId, targetAccountId }) =>
    inTransaction(app, async ({ enqueue }) => {
      enqueue(followAlongStep({ accountId, targetAccountId, below: first }));
      enqueue(hideAlongStep({ accountId, targetAccountId, below: first }));
    }),
});

interface Step {
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
  readonly below: RowId;
}

interface Follower {
  readonly id: RowId;
  readonly account_id: AccountId;
  readonly show_reblogs: boolean;
  readonly notify: boolean;
  readonly languages: string[] | null;
}

export const followAlongStep = defineJob(
  'relationships.follow-along-step',
  Type.Object({ ...pair, below: idSchema<'row'>() }),
  async (app, step: Step) => {
    const followers = await app.db
      .selectFrom('follows')
      .innerJoin('accounts', 'accounts.id', 'follows.account_id')
      .select(['follows.id', 'account_id', 'show_reblogs', 'notify', 'languages'])
      .where('target_account_id', '=', step.accountId)
      .where('accounts.domain', 'is', null)
      .where('follows.id', '<', step.below)
      .orderBy('follows.id', 'desc')
      .limit(atOnce)
      .execute();
    for (const follower of followers) await bring(app, follower, step);
    const last = followers.at(-1);
    if (last === undefined || followers.length < atOnce) return;
    await inTransaction(app, async ({ enqueue }) => enqueue(followAlongStep({ ...step, below: last.id })));
  },
  'background',
);

/** Who may not follow the new account (it blocks them, say) goes on following the old one. */
async function bring(app: App, follower: Follower, { accountId, targetAccountId }: Step): Promise<void> {
  if (follower.account_id === targetAccountId) return unfollowAccount(app, follower.account_id, accountId);
  try {
    await followAccount(app, follower.account_id, targetAccountId, {
      reblogs: follower.show_reblogs,
      notify: follower.notify,
      languages: follower.languages ?? [],
    });
  } catch (error) {
    if (error instanceof Problem) return;
    throw error;
  }
  await inTransaction(app, async ({ emit }) =>
    emit(followCarriedOver({ accountId: follower.account_id, fromAccountId: accountId, targetAccountId })),
  );
  await unfollowAccount(app, follower.account_id, accountId);
}

interface Hiding {
  readonly id: RowId;
  readonly kind: 'block' | 'mute';
  readonly account_id: AccountId;
  readonly notifications: boolean;
  readonly expires_at: Date | null;
  /** It follows the new account on purpose. */
  readonly follows: boolean;
}

export const hideAlongStep = defineJob(
  'relationships.hide-along-step',
  Type.Object({ ...pair, below: idSchema<'row'>() }),
  async (app, step: Step) => {
    const now = app.clock.now();
    const { rows } = await sql<Hiding>`
      select hidden.*, exists (
        select from follows where account_id = hidden.account_id and target_account_id = ${step.targetAccountId}::bigint
      ) as follows
      from (
        select id, 'block' as kind, account_id, true as notifications, null::timestamptz as expires_at
          from blocks where target_account_id = ${step.accountId}::bigint
        union all
        select id, 'mute', account_id, hide_notifications, expires_at
          from mutes where target_account_id = ${step.accountId}::bigint
          and (expires_at is null or expires_at > ${now}::timestamptz)
      ) hidden join accounts on accounts.id = hidden.account_id
      where accounts.domain is null and hidden.account_id <> ${step.targetAccountId}::bigint
        and hidden.id < ${step.below}::bigint
      order by hidden.id desc limit ${atOnce}`.execute(app.db);
    const old = await findAccount(app, step.accountId);
    for (const row of rows) await hide(app, row, { targetId: step.targetAccountId, acct: old && acctOf(old), now });
    const last = rows.at(-1);
    if (last === undefined || rows.length < atOnce) return;
    await inTransaction(app, async ({ enqueue }) => enqueue(hideAlongStep({ ...step, below: last.id })));
  },
  'background',
);

async function hide(
  app: App,
  row: Hiding,
  { targetId, acct, now }: { targetId: AccountId; acct: string | undefined; now: Date },
): Promise<void> {
  if (row.follows) return;
  if (row.kind === 'block') await blockAccount(app, row.account_id, targetId);
  else {
    const duration = row.expires_at === null ? 0 : Math.max(1, (row.expires_at.getTime() - now.getTime()) / 1000);
    await muteAccount(app, row.account_id, targetId, { notifications: row.notifications, duration });
  }
  if (acct !== undefined) await noteWhyHidden(app, { accountId: row.account_id, targetId, kind: row.kind, acct });
}
