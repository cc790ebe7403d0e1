import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';
import { idSchema } from '../platform/id-schema.ts';

const groupPost = { groupId: idSchema<'account'>(), statusId: idSchema<'status'>() };

/** A group was created or deleted. */
export const groupsChanged = defineEvent('group.list_changed', Type.Object({}));

/** A post became one of a group. `reply`: it replies to one; `approved`: a moderator decided it. */
export const groupPostAccepted = defineEvent(
  'group.post_accepted',
  Type.Object({ ...groupPost, reply: Type.Boolean(), approved: Type.Boolean() }),
);

/** A post waits for a moderator of a group. */
export const groupPostWaiting = defineEvent('group.post_waiting', Type.Object(groupPost));

/** The moderator `accountId` removed a post from a group. */
export const groupPostRemoved = defineEvent(
  'group.post_removed',
  Type.Object({ ...groupPost, accountId: idSchema<'account'>(), reply: Type.Boolean() }),
);
