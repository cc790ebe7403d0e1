import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

const pair = { accountId: idSchema<'account'>(), targetAccountId: idSchema<'account'>() };
/** `followUri` is the id of the Follow activity when it came from another server; null when the follow was made here. */
const follow = Type.Object({
  followId: idSchema<'row'>(),
  ...pair,
  followUri: Type.Union([Type.String(), Type.Null()]),
});

/** Somebody asked to follow: a local account that decides itself, or any account of another server. */
export const followRequested = defineEvent(
  'relationship.follow_requested',
  Type.Object({ requestId: idSchema<'row'>(), ...pair }),
);

/** `accountId` follows `targetAccountId` now, at once or because a request was accepted. */
export const accountFollowed = defineEvent('relationship.followed', follow);

/** A request was accepted; `accountFollowed` is said as well. */
export const followRequestAccepted = defineEvent('relationship.request_accepted', follow);

/** `targetAccountId` refused a request; `followId` was the request's. */
export const followRequestRejected = defineEvent('relationship.request_rejected', follow);

/** `accountId` wants to see other posts of `targetAccountId` than before: with or without reblogs, in other languages. */
export const followChanged = defineEvent('relationship.follow_changed', Type.Object(pair));

/**
 * `fromAccountId` moved to `targetAccountId`, and `accountId`, which follows the one, follows or asks to follow the other
 * now. The old follow ends after this.
 */
export const followMigrated = defineEvent(
  'relationship.follow_migrated',
  Type.Object({ ...pair, fromAccountId: idSchema<'account'>() }),
);

/** `accountId` no longer follows, or withdrew its request (`followId` was the request's). */
export const accountUnfollowed = defineEvent('relationship.unfollowed', follow);

/** `targetAccountId` no longer lets `accountId` follow it. */
export const followerRemoved = defineEvent('relationship.follower_removed', follow);

const block = Type.Object({ blockId: idSchema<'row'>(), ...pair });
const mute = Type.Object({ muteId: idSchema<'row'>(), ...pair });

export const accountBlocked = defineEvent('relationship.blocked', block);
export const accountUnblocked = defineEvent('relationship.unblocked', block);
/** Also when an existing mute changes. */
export const accountMuted = defineEvent('relationship.muted', mute);
/** Ended by its owner, or by itself. */
export const accountUnmuted = defineEvent('relationship.unmuted', mute);

const domainBlock = Type.Object({ accountId: idSchema<'account'>(), domain: Type.String() });

/** A local account wants nothing to do with a whole server any more. */
export const domainBlocked = defineEvent('relationship.domain_blocked', domainBlock);
/** It takes it back. */
export const domainUnblocked = defineEvent('relationship.domain_unblocked', domainBlock);

/** Follows, blocks and mutes of these accounts ended, which nobody is told of: the other side is gone. */
export const relationshipsDeleted = defineEvent(
  'relationship.deleted',
  Type.Object({ accountIds: Type.Array(idSchema<'account'>()) }),
);

/** Follows, blocks, mutes or domain blocks of an account changed: what is cached of them is outdated. */
export const relationsChanged = defineEvent('relationship.changed', Type.Object({ accountId: idSchema<'account'>() }));
