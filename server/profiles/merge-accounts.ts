import { sql } from 'kysely';
import { markMoved } from '../accounts/move/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import { transaction } from '../platform/write/transaction.ts';
import { recordStaffAction } from '../site/audit/index.ts';
import type { Staff } from '../site/index.ts';

/** What prevents a merge. */
export type MergeProblem = 'gone' | 'local' | 'merged' | 'moved' | 'same' | 'suspended' | 'unproven';

interface Pair {
  readonly oldAcct: string;
  readonly newAcct: string;
  readonly isLocal: boolean;
  readonly movedTo: AccountId | null;
  readonly targetHasMoved: boolean;
  readonly targetIsSuspended: boolean;
  readonly isProven: boolean;
}

export interface MergeOptions {
  readonly accountId: AccountId;
  readonly targetId: AccountId;
  /** Merges accounts also if nothing shows that they belong to the same person. */
  readonly force: boolean;
}

/**
 * Merges a remote account into another one of the same person, whose server changed its domain or is gone, as if it had
 * moved: its followers here follow the other account, and lists, notes, blocks and mutes go over. Its posts stay under its
 * own name, because their addresses name it. That both belong to the same person is proven by the same key, or by
 * the new account, which lists the old one as an alias. Returns what prevents it.
 */
export const mergeAccounts = (
  app: App,
  staff: Staff,
  { accountId, targetId, force }: MergeOptions,
): Promise<MergeProblem | undefined> =>
  transaction(app, async (tx) => {
    if (accountId === targetId) return 'same';
    const { rows } = await sql<Pair>`
      select old.username || coalesce('@' || old.domain, '') as "oldAcct",
        target.username || coalesce('@' || target.domain, '') as "newAcct",
        old.domain is null as "isLocal", old.moved_to_account_id as "movedTo",
        target.moved_to_account_id is not null as "targetHasMoved", target.suspended_at is not null as "targetIsSuspended",
        old.uri = any(target.also_known_as) or exists (
          select from account_keys old_key join account_keys target_key using (public_key_pem)
          where old_key.account_id = old.id and target_key.account_id = target.id
        ) as "isProven"
      from accounts old, accounts target
      where old.id = ${accountId}::bigint and target.id = ${targetId}::bigint
        and old.deleted_at is null and target.deleted_at is null
      for no key update of old, target`.execute(tx.db);
    const [pair] = rows;
    const problem = findProblem(pair, targetId, force);
    if (problem !== undefined || pair === undefined) return problem;
    await markMoved(tx, app, accountId, targetId);
    const { oldAcct: label, newAcct } = pair;
    recordStaffAction(tx, staff, {
      target: 'account',
      verb: 'merge',
      id: accountId,
      label,
      before: {},
      after: { moved_to: newAcct },
    });
    return undefined;
  });

function findProblem(pair: Pair | undefined, targetId: AccountId, force: boolean): MergeProblem | undefined {
  if (pair === undefined) return 'gone';
  if (pair.isLocal) return 'local';
  if (pair.movedTo === targetId) return 'merged';
  if (pair.targetHasMoved) return 'moved';
  if (pair.targetIsSuspended) return 'suspended';
  return pair.isProven || force ? undefined : 'unproven';
}
