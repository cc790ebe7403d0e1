import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { get, post } from '../../platform/http/routes.ts';
import type { AccountId, PollId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { Poll } from '../../polls/index.ts';
import { presentPoll, loadVotes } from '../../polls/read/index.ts';
import { queuePollRefresh } from './queue-poll-refresh.ts';
import { requireVisiblePoll, voteInPoll } from './vote-in-poll.ts';

const params = Type.Object({ id: idSchema<'poll'>() });

export const pollRoutes = [
  get('/api/v1/polls/:id', {
    summary: 'Show a poll',
    access: 'anyone',
    scope: 'read|read:statuses',
    params,
    response: Poll,
    async handle({ app, viewer, params: { id } }) {
      const shown = await showPoll(app, viewer?.accountId, id);
      if (viewer !== undefined) await queuePollRefresh(app, id);
      return shown;
    },
  }),

  post('/api/v1/polls/:id/votes', {
    summary: 'Vote in a poll',
    access: 'user',
    onlyAdds: true,
    scope: 'write|write:statuses',
    params,
    input: Type.Object({ choices: Type.Array(Type.Integer({ description: 'Indexes of options, from 0' })) }),
    response: Poll,
    async handle({ app, viewer, params: { id }, input: { choices } }) {
      await voteInPoll(app, viewer.accountId, id, choices);
      return showPoll(app, viewer.accountId, id);
    },
  }),
];

async function showPoll(app: App, viewerId: AccountId | undefined, id: PollId): Promise<Poll> {
  const poll = await requireVisiblePoll(app, viewerId, id);
  if (viewerId === undefined) return presentPoll(poll, undefined, app.clock.now());
  const votes = (await loadVotes(app, viewerId, [id])).get(id) ?? [];
  return presentPoll(poll, { accountId: viewerId, votes }, app.clock.now());
}
