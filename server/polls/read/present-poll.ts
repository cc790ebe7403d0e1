import { sql } from 'kysely';
import { presentEmojisFor } from '../../emojis/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, PollId } from '../../platform/ids.ts';
import type { PollRow, PollWithEmojis } from './load-polls.ts';
import type { Poll } from '../schema.ts';

const voteRows = preparedQuery<{ poll_id: PollId; choice: number }>()(
  (db, { accountId, ids }: { accountId: AccountId; ids: readonly PollId[] }) =>
    db
      .selectFrom('poll_votes')
      .select(['poll_id', 'choice'])
      .where('account_id', '=', accountId)
      .where(sql<boolean>`poll_id = any(${ids}::bigint[])`)
      .orderBy('id'),
);

/** Returns the votes of an account by poll, in one statement. Polls without votes are missing. */
export async function loadVotes(
  app: App,
  accountId: AccountId,
  ids: readonly PollId[],
): Promise<Map<PollId, readonly number[]>> {
  if (ids.length === 0) return new Map();
  const byPoll = Map.groupBy(await voteRows(app, { accountId, ids }), ({ poll_id }) => poll_id);
  return new Map([...byPoll].map(([id, cast]) => [id, cast.map(({ choice }) => choice)]));
}

export const isPollExpired = ({ expires_at: end }: Pick<PollRow, 'expires_at'>, now: Date): boolean =>
  end !== null && end.getTime() <= now.getTime();

/** Returns a poll as `viewer` (undefined: anonymous) sees it at `now`. */
export function presentPoll(
  poll: PollWithEmojis,
  viewer: { readonly accountId: AccountId; readonly votes: readonly number[] } | undefined,
  now: Date,
): Poll {
  const expired = isPollExpired(poll, now);
  const hidden = poll.hide_totals && !expired;
  return {
    id: poll.id,
    expires_at: poll.expires_at?.toISOString() ?? null,
    expired,
    multiple: poll.multiple,
    votes_count: poll.tallies.reduce((sum, count) => sum + count, 0),
    voters_count: poll.voters_count,
    options: poll.options.map((title, index) => ({ title, votes_count: hidden ? null : (poll.tallies[index] ?? 0) })),
    emojis: presentEmojisFor(mediaViewerOf(viewer), poll.emojis),
    ...(viewer !== undefined && {
      voted: viewer.accountId === poll.account_id || viewer.votes.length > 0,
      own_votes: [...viewer.votes],
    }),
  };
}
