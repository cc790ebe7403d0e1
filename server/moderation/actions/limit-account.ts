import type { App } from '../../platform/app.ts';
import type { Staff } from '../../site/index.ts';
import { takeAction, type AccountAction, type ActionType } from './take-action.ts';

const defineLimit =
  (type: ActionType) =>
  (app: App, staff: Staff, decision: Omit<AccountAction, 'type'>): Promise<boolean> =>
    takeAction(app, staff, { ...decision, type });

/**
 * Disables sign-in and tokens of the user of an account; the account stays visible. See `takeAction`; returns false if the
 * user was already disabled.
 */
export const disableUser = defineLimit('disable');

/** Marks all media of a local or remote account as sensitive. See `takeAction`. */
export const sensitizeAccount = defineLimit('sensitive');

/** Limits a local or remote account to its followers. See `takeAction`. */
export const silenceAccount = defineLimit('silence');

/** Hides a local or remote account and its posts, and disables its user. Deletes nothing for 30 days. See `takeAction`. */
export const suspendAccount = defineLimit('suspend');

/** Warns the user of an account, without another consequence. See `takeAction`. */
export const warnUser = defineLimit('none');
