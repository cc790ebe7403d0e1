import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

const pair = { accountId: idSchema<'account'>(), targetAccountId: idSchema<'account'>() };
/** `followUri`: id of the Follow activity, if another server or, before the server moved here, another software assigned it. */
const follow = Type.Object({
  followId: idSchema<'row'>(),
  ...pair,
  followUri: Type.Union([Type.String(), Type.Null()]),
});

/** An account asked to follow another one, which has not answered yet. */
export const followRequested = defineEvent(
  'relationship.follow_requested',
  Type.Object({ requestId: idSchema<'row'>(), ...pair }),
  { onlyAdds: true },
);

/** `accountId` started to follow `targetAccountId`, at once or because its request was accepted. */
export const accountFollowed = defineEvent('relationship.followed', follow, { onlyAdds: true });

/** `targetAccountId` rejected a request. `followId`: id of the request. */
export const followRequestRejected = defineEvent('relationship.request_rejected', follow);

/** `accountId` changed which statuses of `targetAccountId` it sees: reblogs or languages. */
export const followChanged = defineEvent('relationship.follow_changed', Type.Object(pair));

/**
 * `fromAccountId` moved to `targetAccountId`, and its follower `accountId` now follows the new account or asked to. The
 * old follow ends after this event.
 */
export const followMigrated = defineEvent(
  'relationship.follow_migrated',
  Type.Object({ ...pair, fromAccountId: idSchema<'account'>() }),
);

/** `accountId` unfollowed, or withdrew its request (`followId`: id of the request). */
export const accountUnfollowed = defineEvent('relationship.unfollowed', follow);

/** `targetAccountId` removed its follower `accountId`. */
export const followerRemoved = defineEvent('relationship.follower_removed', follow);

/** `blockUri`: id of the Block activity, if another server or, before the server moved here, another software assigned it. */
const block = Type.Object({
  blockId: idSchema<'row'>(),
  ...pair,
  blockUri: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const mute = Type.Object({ muteId: idSchema<'row'>(), ...pair });

export const accountBlocked = defineEvent('relationship.blocked', block);
export const accountUnblocked = defineEvent('relationship.unblocked', block);
/** Also when an existing mute changes. */
export const accountMuted = defineEvent('relationship.muted', mute);
/** Removed by its owner, or expired. */
export const accountUnmuted = defineEvent('relationship.unmuted', mute);

const domainBlock = Type.Object({ accountId: idSchema<'account'>(), domain: Type.String() });

/** A local account blocked a domain. */
export const domainBlocked = defineEvent('relationship.domain_blocked', domainBlock);
/** A local account unblocked a domain. */
export const domainUnblocked = defineEvent('relationship.domain_unblocked', domainBlock);

/** Relationships of these accounts ended because the other account was deleted. Nothing is federated. */
export const relationshipsDeleted = defineEvent(
  'relationship.deleted',
  Type.Object({ accountIds: Type.Array(idSchema<'account'>()) }),
);

/** `accountId` lost follows by the block of a domain. */
export const relationshipsSevered = defineEvent(
  'relationship.severed',
  Type.Object({ severanceId: idSchema<'severance'>(), accountId: idSchema<'account'>() }),
);

/** Follows, blocks, mutes or domain blocks of an account changed. Evicts caches. */
export const relationsChanged = defineEvent('relationship.changed', Type.Object({ accountId: idSchema<'account'>() }));
