import { expect, test } from 'vitest';
import type { AccountId } from '../../server/platform/ids.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';
import { createCrowd, settle, TestSocket } from '../streams.ts';

interface StreamedStatus {
  readonly favourited: boolean;
  readonly bookmarked: boolean;
  readonly reblogged: boolean;
  readonly muted: boolean;
  readonly poll: { readonly voted: boolean };
}

/** Stores reactions of each kind by accounts that have no streams. */
async function react(server: TestServer, accountIds: readonly AccountId[], statusId: string): Promise<void> {
  const reactions = [
    `insert into favourites (id, account_id, status_id, created_at)
       select crowd.id, crowd.id, post.id, now() from crowd, post`,
    `insert into bookmarks (id, account_id, status_id, created_at)
       select crowd.id, crowd.id, post.id, now() from crowd, post`,
    `insert into conversation_mutes (account_id, conversation_id)
       select crowd.id, post.conversation_id from crowd, post`,
    `insert into poll_votes (id, poll_id, account_id, choice, created_at)
       select crowd.id, post.poll_id, crowd.id, 0, now() from crowd, post`,
    `insert into statuses (id, account_id, uri, local, text, content, visibility, reblog_of_id, created_at)
       select crowd.id, crowd.id, 'https://crowd.test/' || crowd.id, false, '', '', 'public', post.id, now()
       from crowd, post`,
  ];
  for (const reaction of reactions) {
    const tables = 'with crowd as (select unnest($1::bigint[]) as id), post as (select * from statuses where id = $2)';
    await server.pool.query(`${tables} ${reaction}`, [accountIds, statusId]);
  }
}

const reactionsOf: Record<string, (user: TestUser, status: { id: string; poll: { id: string } }) => Promise<unknown>> =
  {
    favourited: (user, { id }) => user.post(`/api/v1/statuses/${id}/favourite`),
    bookmarked: (user, { id }) => user.post(`/api/v1/statuses/${id}/bookmark`),
    reblogged: (user, { id }) => user.post(`/api/v1/statuses/${id}/reblog`),
    muted: (user, { id }) => user.post(`/api/v1/statuses/${id}/mute`),
    voted: (user, { poll }) => user.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] }),
    nothing: async () => {},
  };

test.for([0, 60])('STR-02: a streamed post shows what its viewer did with it, among %i reactions', async (size) => {
  await using server = await startServer();
  const author = await server.user('author');
  const poll = { options: ['One', 'Two'], expires_in: 604_800 };
  const status = (await author.post('/api/v1/statuses', { status: 'Which?', poll })).json;
  const streams: { readonly name: string; readonly reader: TestUser; readonly socket: TestSocket }[] = [];
  for (const [name, reactTo] of Object.entries(reactionsOf)) {
    const reader = await server.user(name);
    await reader.post(`/api/v1/accounts/${author.id}/follow`);
    await reactTo(reader, status);
    await settle(server);
    streams.push({ name, reader, socket: await TestSocket.open(server, reader, 'stream=user') });
  }
  if (size > 0) server.expectUndelivered('crowd.test');
  await react(server, await createCrowd(server, size), status.id);
  await author.put(`/api/v1/statuses/${status.id}/interaction_policy`, { quote_approval_policy: 'nobody' });
  for (const { name, reader, socket } of streams) {
    const [event] = await socket.take();
    const streamed = JSON.parse(event?.payload ?? 'null') as StreamedStatus;
    expect(streamed, name).toEqual((await reader.get(`/api/v1/statuses/${status.id}`)).json);
    const {
      favourited,
      bookmarked,
      reblogged,
      muted,
      poll: { voted },
    } = streamed;
    const shown = Object.entries({ favourited, bookmarked, reblogged, muted, voted });
    expect(shown.flatMap(([kind, is]) => (is ? [kind] : []))).toEqual(name === 'nothing' ? [] : [name]);
    socket.close();
  }
});
