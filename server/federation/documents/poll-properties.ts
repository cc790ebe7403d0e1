import { presentPoll, type PollWithEmojis } from '../../polls/read/index.ts';
import { isoTimestamp } from './activities.ts';
import type { Json } from './values.ts';

/** Returns the properties that turn a post into a poll, including its type and the currently visible counts. */
export function pollProperties(poll: PollWithEmojis, now: Date): Json {
  const { expired, options, voters_count: votersCount } = presentPoll(poll, undefined, now);
  const end = poll.expires_at === null ? undefined : isoTimestamp(poll.expires_at);
  return {
    type: 'Question',
    [poll.multiple ? 'anyOf' : 'oneOf']: options.map(({ title, votes_count: votes }) => ({
      type: 'Note',
      name: title,
      replies: { type: 'Collection', totalItems: votes },
    })),
    ...(end !== undefined && { endTime: end }),
    ...(end !== undefined && expired && { closed: end }),
    ...(votersCount !== null && { votersCount }),
  };
}
