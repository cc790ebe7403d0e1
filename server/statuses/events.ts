import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

const status = { statusId: idSchema<'status'>(), accountId: idSchema<'account'>() };
const reblog = { ...status, reblogOfId: idSchema<'status'>() };
const conversation = { accountId: idSchema<'account'>(), conversationId: idSchema<'conversation'>() };
/** `statusLocal`: the favourited status is local. */
const favourite = { ...status, favouriteId: idSchema<'row'>(), statusLocal: Type.Boolean() };

/**
 * A status (no reblog) was posted or received. `local`: its author is local; `direct`: only its recipients may see it;
 * `threadId`: the first post of the thread that one request published. The other facts spare jobs and queries: whether it is
 * public, local-only, a reply, mentions accounts, has hashtags, and contains a link that may have a card.
 */
export const statusCreated = defineEvent(
  'status.created',
  Type.Object({
    ...status,
    local: Type.Boolean(),
    direct: Type.Boolean(),
    public: Type.Boolean(),
    localOnly: Type.Optional(Type.Boolean()),
    reply: Type.Boolean(),
    mentions: Type.Boolean(),
    tags: Type.Boolean(),
    link: Type.Boolean(),
    threadId: Type.Optional(idSchema<'status'>()),
  }),
  { onlyAdds: true },
);

/** A public status with hashtags was posted or received, or a local-only one. `language`: of the status. */
export const statusTagged = defineEvent(
  'status.tagged',
  Type.Object({
    ...status,
    tagIds: Type.Array(idSchema<'tag'>()),
    language: Type.Union([Type.String(), Type.Null()]),
    localOnly: Type.Optional(Type.Boolean()),
  }),
  { onlyAdds: true },
);

/** A status got a preview card, or another one than before. */
export const cardAttached = defineEvent(
  'status.card_attached',
  Type.Object({ ...status, cardId: idSchema<'card'>() }),
  { onlyAdds: true },
);

/** A status was edited; its history has the versions. `local`: its author is local. */
export const statusEdited = defineEvent('status.edited', Type.Object({ ...status, local: Type.Boolean() }));

/** The author of a status changed who may quote it, or who may interact with it otherwise. */
export const quotePolicyChanged = defineEvent(
  'status.quote_policy_changed',
  Type.Object({ ...status, local: Type.Boolean() }),
);

/** The text of a local status has handles of unknown accounts; see `addMentions`. */
export const mentionsUnresolved = defineEvent(
  'status.mentions_unresolved',
  Type.Object({ ...status, handles: Type.Array(Type.String()) }),
  { onlyAdds: true },
);

/** Accounts were added to the mentions of an existing status, by an edit or by `addMentions`. */
export const mentionsAdded = defineEvent(
  'status.mentions_added',
  Type.Object({ ...status, mentionedIds: Type.Array(idSchema<'account'>()) }),
);

/**
 * `accountId` reblogged `reblogOfId`; the reblog itself is `statusId`. `local`: `accountId` is local; `originalLocal`: the
 * author of the original is.
 */
export const statusReblogged = defineEvent(
  'status.reblogged',
  Type.Object({ ...reblog, local: Type.Boolean(), originalLocal: Type.Boolean() }),
  { onlyAdds: true },
);

/** ActivityPub id of a status that was deleted. Its row may be gone when the event is handled. */
const deletedUri = { uri: Type.Optional(Type.String()) };

/** The reblog `statusId` was deleted. */
export const statusUnreblogged = defineEvent('status.unreblogged', Type.Object({ ...reblog, ...deletedUri }));

/** A status (no reblog) was deleted. It is hidden everywhere; its row stays for 30 days. */
export const statusDeleted = defineEvent('status.deleted', Type.Object({ ...status, ...deletedUri }));

/** `accountId` favourited a status that it had not favourited before. */
export const statusFavourited = defineEvent('status.favourited', Type.Object(favourite), { onlyAdds: true });

export const statusUnfavourited = defineEvent('status.unfavourited', Type.Object(favourite));

/** A signed-in viewer opened the thread of a public or unlisted status of the remote `accountId`. */
export const threadViewed = defineEvent('status.thread_viewed', Type.Object(status), { onlyAdds: true });

/** A signed-in viewer saw public or unlisted remote statuses whose counts are outdated. */
export const countsRefreshRequested = defineEvent(
  'status.counts_refresh_requested',
  Type.Object({ statusIds: Type.Array(idSchema<'status'>()) }),
  { onlyAdds: true },
);

/** `accountId` pinned one of its own statuses to its profile. */
export const statusPinned = defineEvent('status.pinned', Type.Object(status));

export const statusUnpinned = defineEvent('status.unpinned', Type.Object(status));

export const conversationMuted = defineEvent('status.conversation_muted', Type.Object(conversation));

export const conversationUnmuted = defineEvent('status.conversation_unmuted', Type.Object(conversation));

/** The cached form of a status is outdated. */
export const statusChanged = defineEvent('status.changed', Type.Object({ statusId: idSchema<'status'>() }));

/** The direct replies to a status changed: one was added, deleted or detached. */
export const repliesChanged = defineEvent('status.replies_changed', Type.Object({ statusId: idSchema<'status'>() }), {
  onlyAdds: true,
});

/** The counters of a status after a change, with the version of their row (docs/decisions/0028). */
export const statusCountersChanged = defineEvent(
  'status.counters_changed',
  Type.Object({
    id: idSchema<'status'>(),
    version: Type.Integer(),
    jsonMembers: Type.String(),
    originCountedAt: Type.Optional(Type.Number()),
  }),
  { onlyAdds: true },
);
