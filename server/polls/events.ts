import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

const poll = { pollId: idSchema<'poll'>(), statusId: idSchema<'status'>(), accountId: idSchema<'account'>() };

/** The time of a poll by `accountId`, local or remote, is over. */
export const pollEnded = defineEvent('poll.ended', Type.Object(poll));

/** Votes have come in on a poll of the local `accountId` since its counts were last told to other servers. */
export const pollUpdated = defineEvent('poll.updated', Type.Object(poll));

/** Somebody here looks at an open poll of the remote `accountId`, whose counts may be old. */
export const pollViewed = defineEvent('poll.viewed', Type.Object(poll));

/** `accountId` voted in a poll, of whatever server, for the options at the places `choices`, from 0. */
export const pollVoted = defineEvent('poll.voted', Type.Object({ ...poll, choices: Type.Array(Type.Integer()) }));
