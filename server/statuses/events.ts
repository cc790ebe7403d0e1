import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

const status = { statusId: idSchema<'status'>(), accountId: idSchema<'account'>() };
const reblog = { ...status, reblogOfId: idSchema<'status'>() };
/** `statusLocal`: the favourited status is of this server. */
const favourite = { ...status, favouriteId: idSchema<'row'>(), statusLocal: Type.Boolean() };

/**
 * A status (no reblog) is here now. `local`: an account of this server wrote it; `direct`: only those whom it names may
 * see it.
 */
export const statusCreated = defineEvent(
  'status.created',
  Type.Object({ ...status, local: Type.Boolean(), direct: Type.Boolean() }),
);

/** A status was changed after it had been posted; its history tells how. `local`: an account of this server wrote it. */
export const statusEdited = defineEvent('status.edited', Type.Object({ ...status, local: Type.Boolean() }));

/** The author of a status changed who may quote it. */
export const quotePolicyChanged = defineEvent(
  'status.quote_policy_changed',
  Type.Object({ ...status, local: Type.Boolean() }),
);

/** Handles in the text of a local status that no account is known for yet; see `addMentions`. */
export const mentionsUnresolved = defineEvent(
  'status.mentions_unresolved',
  Type.Object({ ...status, handles: Type.Array(Type.String()) }),
);

/** Accounts that are named in a status since it was posted: `addMentions` found them, or an edit brought them in. */
export const mentionsAdded = defineEvent(
  'status.mentions_added',
  Type.Object({ ...status, mentionedIds: Type.Array(idSchema<'account'>()) }),
);

/** `accountId` reblogged `reblogOfId`; the reblog itself is `statusId`. */
export const statusReblogged = defineEvent('status.reblogged', Type.Object(reblog));

/** The reblog `statusId` is gone. */
export const statusUnreblogged = defineEvent('status.unreblogged', Type.Object(reblog));

/** A status (no reblog) is gone from every surface; its row stays for a while. */
export const statusDeleted = defineEvent('status.deleted', Type.Object(status));

/** `accountId` favourited a status that it had not favourited before. */
export const statusFavourited = defineEvent('status.favourited', Type.Object(favourite));

export const statusUnfavourited = defineEvent('status.unfavourited', Type.Object(favourite));

/** Somebody signed in looks at the thread of a public or unlisted status of the remote `accountId`. */
export const threadViewed = defineEvent('status.thread_viewed', Type.Object(status));

/** `accountId` put a status of its own on its profile. */
export const statusPinned = defineEvent('status.pinned', Type.Object(status));

export const statusUnpinned = defineEvent('status.unpinned', Type.Object(status));

/** A status looks different now, or is gone: what is cached of it is outdated. */
export const statusChanged = defineEvent('status.changed', Type.Object({ statusId: idSchema<'status'>() }));

/** The counters of a status after a change, with the version of their row (docs/decisions/0028). */
export const statusCountersChanged = defineEvent(
  'status.counters_changed',
  Type.Object({ id: idSchema<'status'>(), version: Type.Integer(), text: Type.String() }),
);

/** `viewerId` favourited or bookmarked a status, or undid it. */
export const viewerStateChanged = defineEvent(
  'status.viewer_state_changed',
  Type.Object({
    viewerId: idSchema<'account'>(),
    statusId: idSchema<'status'>(),
    favourited: Type.Optional(Type.Boolean()),
    bookmarked: Type.Optional(Type.Boolean()),
  }),
);

/** What `viewerId` did with any number of statuses or conversations changed. */
export const viewerStatesChanged = defineEvent(
  'status.viewer_states_changed',
  Type.Object({ viewerId: idSchema<'account'>() }),
);
