import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

const accountPayload = Type.Object({ accountId: idSchema<'account'>() });

/** The profile of an account changed, or staff limited it; local or remote. */
export const accountUpdated = defineEvent('account.updated', accountPayload);

/**
 * All keys of a remote account changed without a signature by an old one: its server was probably reinstalled and has
 * lost the followers.
 */
export const accountKeysReplaced = defineEvent('account.keys_replaced', accountPayload);

/** A local account no longer approves its followers one by one. */
export const accountUnlocked = defineEvent('account.unlocked', accountPayload);

/** An account was deleted. Its row stays, so that its name and its URI are not used again. */
export const accountDeleted = defineEvent('account.deleted', accountPayload);

/** An account moved to another one, which lists it as an alias; local or remote. */
export const accountMoved = defineEvent(
  'account.moved',
  Type.Object({
    moveId: idSchema<'row'>(),
    accountId: idSchema<'account'>(),
    targetAccountId: idSchema<'account'>(),
  }),
);

/** An account was suspended by staff, by its own server or by the block of its domain. */
export const accountSuspended = defineEvent(
  'account.suspended',
  Type.Object({
    accountId: idSchema<'account'>(),
    /** Identifies a suspension of this account by staff. */
    suspensionId: Type.Optional(idSchema<'row'>()),
  }),
);

/** The block of a domain suspended its accounts. `id` identifies the event, and `domain` may be a subdomain. */
export const domainSuspended = defineEvent(
  'account.domain_suspended',
  Type.Object({ id: idSchema<'row'>(), domain: Type.String() }),
);

/** The suspension of an account was lifted. */
export const accountUnsuspended = defineEvent('account.unsuspended', accountPayload);

/** A signed-in user viewed a remote account that was fetched more than a day ago. */
export const accountViewed = defineEvent('account.viewed', accountPayload, { onlyAdds: true });

/** What others see of an account changed, or the account was deleted. */
export const accountChanged = defineEvent('account.changed', accountPayload);

/** Counters of an account after a change, with the version of their row (docs/decisions/0028). */
export const accountCountersChanged = defineEvent(
  'account.counters_changed',
  Type.Object({ id: idSchema<'account'>(), version: Type.Integer(), jsonEnd: Type.String() }),
  { onlyAdds: true },
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
  { onlyAdds: true },
);
