import { later } from '../../platform/write/reactions.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { accountMoved } from '../../accounts/index.ts';
import { acctOf } from '../../accounts/present/index.ts';
import { findAccount } from '../../accounts/find/index.ts';
import { addMigrationNote } from '../../accounts/notes/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { type AccountId, maxId, type RowId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { blockAccount } from '../hide/block-account.ts';
import { followMigrated } from '../events.ts';
import { followAccount } from './follow-account.ts';
import { muteAccount } from '../hide/mute-account.ts';
import { unfollowAccount } from './unfollow-account.ts';

/** Accounts in one job. */
const batchSize = 50;
const maxRowId = maxId;

const pair = { accountId: idSchema<'account'>(), targetAccountId: idSchema<'account'>() };

/** When an account moves, its local followers follow the new account, and local blocks and mutes move with it. */
export const migrateFollowers = later('background', [accountMoved], {
  name: 'relationship.migrate_followers',
  run: (app, { accountId, targetAccountId }) =>
    transaction(app, async ({ enqueue }) => {
      enqueue(migrateFollowersBatch({ accountId, targetAccountId, below: maxRowId }));
      enqueue(migrateBlocksAndMutesBatch({ accountId, targetAccountId, below: maxRowId }));
    }),
});

interface FollowerMigrationBatch {
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

export const migrateFollowersBatch = defineJob(
  'relationship.migrate_followers_batch',
  Type.Object({ ...pair, below: idSchema<'row'>() }),
  async (app, step: FollowerMigrationBatch) => {
    const followers = await app.db
      .selectFrom('follows')
      .innerJoin('accounts', 'accounts.id', 'follows.account_id')
      .select(['follows.id', 'account_id', 'show_reblogs', 'notify', 'languages'])
      .where('target_account_id', '=', step.accountId)
      .where('accounts.domain', 'is', null)
      .where('follows.id', '<', step.below)
      .orderBy('follows.id', 'desc')
      .limit(batchSize)
      .execute();
    for (const follower of followers) await migrateFollower(app, follower, step);
    const last = followers.at(-1);
    if (last === undefined || followers.length < batchSize) return;
    await transaction(app, async ({ enqueue }) => enqueue(migrateFollowersBatch({ ...step, below: last.id })));
  },
  'background',
);

/** A follower that may not follow the new account (it is blocked, for example) keeps following the old one. */
async function migrateFollower(
  app: App,
  follower: Follower,
  { accountId, targetAccountId }: FollowerMigrationBatch,
): Promise<void> {
  if (follower.account_id === targetAccountId) return void (await unfollowAccount(app, follower.account_id, accountId));
  try {
    await followAccount(app, follower.account_id, targetAccountId, {
      reblogs: follower.show_reblogs,
      notify: follower.notify,
      languages: follower.languages ?? [],
    });
  } catch (error) {
    if (error instanceof HttpError) return;
    throw error;
  }
  await transaction(app, async ({ emit }) =>
    emit(followMigrated({ accountId: follower.account_id, fromAccountId: accountId, targetAccountId })),
  );
  await unfollowAccount(app, follower.account_id, accountId);
}

interface BlockOrMute {
  readonly id: RowId;
  readonly kind: 'block' | 'mute';
  readonly account_id: AccountId;
  readonly notifications: boolean;
  readonly expires_at: Date | null;
  /** Whether it follows the new account already: then nothing is hidden from it. */
  readonly follows: boolean;
}

export const migrateBlocksAndMutesBatch = defineJob(
  'relationship.migrate_blocks_and_mutes_batch',
  Type.Object({ ...pair, below: idSchema<'row'>() }),
  async (app, step: FollowerMigrationBatch) => {
    const now = app.clock.now();
    const { rows } = await sql<BlockOrMute>`
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
      order by hidden.id desc limit ${batchSize}`.execute(app.db);
    const old = await findAccount(app, step.accountId);
    for (const row of rows)
      await migrateBlockOrMute(app, row, { targetId: step.targetAccountId, acct: old && acctOf(old), now });
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    await transaction(app, async ({ enqueue }) => enqueue(migrateBlocksAndMutesBatch({ ...step, below: last.id })));
  },
  'background',
);

async function migrateBlockOrMute(
  app: App,
  row: BlockOrMute,
  { targetId, acct, now }: { targetId: AccountId; acct: string | undefined; now: Date },
): Promise<void> {
  if (row.follows) return;
  if (row.kind === 'block') await blockAccount(app, row.account_id, targetId);
  else {
    const duration = row.expires_at === null ? 0 : Math.max(1, (row.expires_at.getTime() - now.getTime()) / 1000);
    await muteAccount(app, row.account_id, targetId, { notifications: row.notifications, duration });
  }
  if (acct !== undefined) await addMigrationNote(app, { accountId: row.account_id, targetId, kind: row.kind, acct });
}
