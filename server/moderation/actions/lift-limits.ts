import { unmarkSensitized, unmarkSilenced, unmarkSuspended } from '../../accounts/lifecycle/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Staff } from '../../site/index.ts';
import { setUserDisabled } from '../../users/access/index.ts';
import { applyDecision, type ModerationAction, type ModerationDecision } from '../apply-decision.ts';
import { liftStrikes } from './lift-strikes.ts';

/** The actions that change the state of an account. */
export type LimitType = 'sensitive' | 'disable' | 'silence' | 'suspend';

interface Reversal {
  readonly verb: ModerationAction;
  /** Returns false if staff had not limited the account. */
  readonly undo: (tx: Transaction, app: App, accountId: AccountId) => Promise<boolean>;
}

/** How each action is undone. What others than staff decided stays: its own server, or the block of its domain. */
export const reversals: Readonly<Record<LimitType, Reversal>> = {
  sensitive: { verb: 'unsensitize', undo: (tx, _app, id) => unmarkSensitized(tx, id) },
  disable: { verb: 'enable', undo: (tx, app, id) => setUserDisabled(tx, app, id, false) },
  silence: { verb: 'unsilence', undo: unmarkSilenced },
  suspend: { verb: 'unsuspend', undo: unmarkSuspended },
};

const defineReversal =
  (type: LimitType) =>
  (app: App, staff: Staff, { accountId }: ModerationDecision): Promise<boolean> => {
    const { verb, undo } = reversals[type];
    return applyDecision(app, staff, { accountId, action: verb }, async (tx) => {
      if (!(await undo(tx, app, accountId))) return false;
      await liftStrikes(tx, app, accountId, type);
      return true;
    });
  };

/** Lets a disabled user sign in again. Returns false if the user was not disabled. Throws 403 if the account has no user. */
export const enableUser = defineReversal('disable');

/** Shows the media of an account as its posts say. Returns false if staff had not marked them as sensitive. */
export const unsensitizeAccount = defineReversal('sensitive');

/** Lifts the limit of an account. Returns false if staff had not silenced it; a block of its domain stays in force. */
export const unsilenceAccount = defineReversal('silence');

/**
 * Lifts the suspension of an account: it and its posts are visible again. Returns false if it was not suspended. Throws 403
 * if its server or the block of its domain suspends it.
 */
export const unsuspendAccount = defineReversal('suspend');
