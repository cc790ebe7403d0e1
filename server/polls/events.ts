import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

const poll = { pollId: idSchema<'poll'>(), statusId: idSchema<'status'>(), accountId: idSchema<'account'>() };

/** A poll by the local or remote `accountId` has ended. */
export const pollEnded = defineEvent('poll.ended', Type.Object(poll));

/** A poll of the local `accountId` has new counts to send to other servers. */
export const pollUpdated = defineEvent('poll.updated', Type.Object(poll), { onlyAdds: true });

/** A remote poll was received with other counts, options or another end than before. */
export const pollRefreshed = defineEvent('poll.refreshed', Type.Object(poll), { onlyAdds: true });

/** A local viewer opened a poll of the remote `accountId`, whose counts may be outdated. */
export const pollViewed = defineEvent('poll.viewed', Type.Object(poll), { onlyAdds: true });

/** `accountId` voted in a local or remote poll. `choices`: indexes of options, from 0. */
export const pollVoted = defineEvent('poll.voted', Type.Object({ ...poll, choices: Type.Array(Type.Integer()) }), {
  onlyAdds: true,
});
