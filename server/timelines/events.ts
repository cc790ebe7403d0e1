import { Type } from 'typebox';
import { defineEvent } from '../platform/events/define-event.ts';
import { idSchema } from '../platform/ids.ts';

/** A status or reblog belongs in the feed of a list that its author owns and is a member of. */
export const ownListReached = defineEvent('feed.own_list_reached', Type.Object({ statusId: idSchema<'status'>() }));

/** The feeds of these lists, and of all lists of these owners, no longer show what they should. */
export const listFeedsOutdated = defineEvent(
  'feed.list_feeds_outdated',
  Type.Object({ ownerIds: Type.Array(idSchema<'account'>()), listIds: Type.Array(idSchema<'list'>()) }),
);
