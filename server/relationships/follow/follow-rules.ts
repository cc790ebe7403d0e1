import type { AccountRow } from '../../accounts/find/index.ts';
import { forbidden, notFound, unprocessable } from '../../platform/http/http-errors.ts';

const baseFollowLimit = 7_500;
const followLimitPerFollower = 1.1;

/** How many accounts one with so many followers may follow (reference/limits.tsv). */
export function maxFollows(followers: number): number {
  return Math.max(baseFollowLimit, Math.round(followers * followLimitPerFollower));
}

/** Throws when `account` may not follow `target` whatever stands between the two. */
export function assertFollowable(account: AccountRow, target: AccountRow): void {
  if (account.id === target.id) throw forbidden('relationships.followSelf');
  if (target.suspended_at !== null || target.deleted_at !== null || !target.activated) throw notFound();
  if (target.protocol === 'ostatus') {
    throw unprocessable('relationships.followOstatus');
  }
  if (target.moved_to_account_id !== null) throw forbidden('relationships.followMoved');
  if (account.suspended_at !== null) throw forbidden();
}

/** What decides whether a follow waits for the target. */
export interface ApprovalInput {
  readonly targetLocked: boolean;
  readonly followerSilenced: boolean;
  readonly mutedByTarget: boolean;
}

/** Whether the target has to approve a follow (ACC-05, ACC-06). */
export function needsApproval({ targetLocked, followerSilenced, mutedByTarget }: ApprovalInput): boolean {
  return targetLocked || followerSilenced || mutedByTarget;
}
