import { sql } from 'kysely';
import { requireAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { type AccountId, noId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { mutesSql } from '../rules/relation-rules.ts';
import { followIfPossible } from './follow-if-possible.ts';

/** Users per statement. */
const batchSize = 200;

/** How many users follow the account now. */
export interface FollowForEveryoneResult {
  readonly following: number;
  /** Follows that the account, its server or a moderation rule must accept. */
  readonly requested: number;
  /** A block, a mute or a limit keeps them from following it. */
  readonly skipped: number;
}

/**
 * Makes every active local user follow an account, as if each had done so. Those who follow it already, or requested to, are
 * not counted. May be repeated, for those who came later. Throws 404 if there is no such account.
 */
export async function followForEveryone(
  app: App,
  staff: Staff,
  { targetId, onUser }: { readonly targetId: AccountId; readonly onUser?: (() => void) | undefined },
): Promise<FollowForEveryoneResult> {
  const { username, domain } = await requireAccount(app, targetId);
  const label = domain === null ? username : `${username}@${domain}`;
  await transaction(app, async (tx) =>
    recordStaffAction(tx, staff, { target: 'account', verb: 'follow', id: targetId, label }),
  );
  const result = { following: 0, requested: 0, skipped: 0 };
  for await (const { accountId, isMuting } of listUsers(app, targetId)) {
    const outcome = isMuting ? 'impossible' : await followIfPossible(app, accountId, targetId);
    result[outcome === 'following' || outcome === 'requested' ? outcome : 'skipped'] += 1;
    onUser?.();
  }
  return result;
}

interface FutureFollower {
  readonly accountId: AccountId;
  readonly isMuting: boolean;
}

/** Lists the active users who neither follow the account nor requested to. */
async function* listUsers({ db, clock }: App, targetId: AccountId): AsyncGenerator<FutureFollower> {
  const target = sql`${targetId}::bigint`;
  for (let after: AccountId | undefined = noId; after !== undefined;) {
    const { rows }: { rows: FutureFollower[] } = await sql<FutureFollower>`
      select account.id as "accountId", ${mutesSql(sql`account.id`, target, clock.now())} as "isMuting"
      from accounts account join users "user" on "user".account_id = account.id
      where account.id > ${after}::bigint and account.id <> ${target} and account.deleted_at is null
        and account.suspended_at is null and account.moved_to_account_id is null
        and "user".confirmed_at is not null and "user".approved and not "user".disabled
        and not exists (select from follows where account_id = account.id and target_account_id = ${target})
        and not exists (select from follow_requests where account_id = account.id and target_account_id = ${target})
      order by account.id limit ${batchSize}`.execute(db);
    yield* rows;
    after = rows.length < batchSize ? undefined : rows.at(-1)?.accountId;
  }
}
