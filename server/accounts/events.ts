import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

const accountPayload = Type.Object({ accountId: idSchema<'account'>() });

/** What others see of a profile changed, or staff limited the account; local or remote. */
export const accountUpdated = defineEvent('account.updated', accountPayload);

/** A local account can be seen from now on: its user is confirmed and approved. */
export const accountActivated = defineEvent('account.activated', accountPayload);

/**
 * Every key of a remote account changed, and nothing signed with an old one said so: its server was probably reinstalled
 * and knows none of its followers.
 */
export const accountKeysReplaced = defineEvent('account.keys_replaced', accountPayload);

/** A local account that approved its followers one by one takes everybody from now on. */
export const accountUnlocked = defineEvent('account.unlocked', accountPayload);

/** The account is gone for good. Its row stays, so that nobody else gets its name or its URI. */
export const accountDeleted = defineEvent('account.deleted', accountPayload);

/** An account says that another one took its place, which agrees; local or remote. Followers may go along. */
export const accountMoved = defineEvent(
  'account.moved',
  Type.Object({
    moveId: idSchema<'row'>(),
    accountId: idSchema<'account'>(),
    targetAccountId: idSchema<'account'>(),
  }),
);

/** The account was suspended by staff, by its own server or by the block of its domain. It can come back. */
export const accountSuspended = defineEvent('account.suspended', accountPayload);

/** The suspension of the account was lifted. */
export const accountUnsuspended = defineEvent('account.unsuspended', accountPayload);

/** Somebody signed in looks at a remote account that was last read more than a day ago. */
export const accountViewed = defineEvent('account.viewed', accountPayload);

/** An account looks different now, or is gone: what is cached of it is outdated. */
export const accountChanged = defineEvent('account.changed', accountPayload);

/** The counters of an account after a change, with the version of their row (docs/decisions/0028). */
export const accountCountersChanged = defineEvent(
  'account.counters_changed',
  Type.Object({ id: idSchema<'account'>(), version: Type.Integer(), jsonProperties: Type.String() }),
);

/** The counters of an account change with this transaction. Deltas of one account are merged before the commit. */
export const accountStatsAdjusted = defineEvent(
  'account.stats_adjusted',
  Type.Object({
    accountId: idSchema<'account'>(),
    statuses: Type.Optional(Type.Integer()),
    followers: Type.Optional(Type.Integer()),
    following: Type.Optional(Type.Integer()),
    /** Followers that are local accounts; they also count in `followers`. */
    localFollowers: Type.Optional(Type.Integer()),
    /** Time of the newest status, ISO 8601 in UTC. An older time than the stored one changes nothing. */
    lastStatusAt: Type.Optional(Type.String()),
  }),
);
