import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';
import { idSchema } from '../platform/id-schema.ts';

/** The statuses of `accountId` are merged into home feeds on read from now on. */
export const authorMerged = defineEvent('feed.author_merged', Type.Object({ accountId: idSchema<'account'>() }));

/** The stored home feed of an account was built, reconciled, or read again after a day. */
export const homeFeedChanged = defineEvent('feed.home_changed', Type.Object({ accountId: idSchema<'account'>() }));

/** A status and its reblogs were deleted from stored home feeds. */
export const statusRemoved = defineEvent('feed.status_removed', Type.Object({ statusId: idSchema<'status'>() }));

/** What the lists of these accounts show has changed. */
export const listFeedsOutdated = defineEvent(
  'feed.list_feeds_outdated',
  Type.Object({ accountIds: Type.Array(idSchema<'account'>()) }),
);

/** Statuses were posted by owners of lists that include the owner. */
export const ownListStatusesPosted = defineEvent(
  'feed.own_list_statuses_posted',
  Type.Object({ statusIds: Type.Array(idSchema<'status'>()) }),
  { onlyAdds: true },
);

/** The feeds that a new status is inserted into: of the followers of its author and of its hashtags, and of lists. */
export const fanOutParts = ['followers', 'hashtags', 'lists'] as const;
export type FanOutPart = (typeof fanOutParts)[number];

/** A new status or reblog was inserted into all feeds of these parts. */
export const statusFannedOut = defineEvent(
  'feed.status_fanned_out',
  Type.Object({ statusId: idSchema<'status'>(), parts: Type.Array(Type.Enum(fanOutParts)) }),
  { onlyAdds: true },
);
