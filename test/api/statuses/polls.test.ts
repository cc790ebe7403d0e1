import { expect, test } from 'vitest';
import { form, startServer, type TestServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';
const pollInput = { options: ['Soup', 'Salad', 'Nothing'], expires_in: 3600 };

async function postPoll(user: TestUser, poll: object = {}, more: object = {}) {
  const response = await user.post(statuses, { status: 'Lunch?', poll: { ...pollInput, ...poll }, ...more });
  if (response.status !== 200) throw new Error(response.text);
  return response.json;
}

const vote = (user: TestUser, id: string, ...choices: number[]) => user.post(`/api/v1/polls/${id}/votes`, { choices });

async function createUsers(server: TestServer, count: number): Promise<TestUser[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => server.user(`voter${index}`)));
}

const listNotificationTypes = async (user: TestUser) =>
  (await user.get('/api/v1/notifications')).json.map(({ type }: { type: string }) => type);

test('POL-01: a poll is created with its status and shown in it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const status = await postPoll(alice, { multiple: true });
  const poll = {
    expires_at: new Date(server.clock.now().getTime() + 3_600_000).toISOString(),
    expired: false,
    multiple: true,
    votes_count: 0,
    voters_count: 0,
    options: pollInput.options.map((title) => ({ title, votes_count: 0 })),
    emojis: [],
    voted: true,
    own_votes: [],
  };
  expect(status.poll).toMatchObject(poll);
  expect((await alice.get(`/api/v1/polls/${status.poll.id}`)).json).toEqual(status.poll);
  const shown = (await server.anonymous.get(`${statuses}/${status.id}`)).json.poll;
  expect(shown).not.toHaveProperty('voted');
  expect(shown).not.toHaveProperty('own_votes');
  const bob = await server.user('bob');
  const reblog = (await bob.post(`${statuses}/${status.id}/reblog`)).json;
  expect([reblog.poll, reblog.reblog.poll.voted]).toEqual([null, false]);
  expect((await bob.get('/api/v1/timelines/home')).json[0].reblog.poll.id).toBe(status.poll.id);
});

test('POL-01: polls can be sent as forms, and invalid polls are 422', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');

  const posted = await alice.post(
    statuses,
    form(
      'status=x&poll[options][]=a&poll[options][]=%20b%20&poll[options][]=&poll[expires_in]=300&poll[multiple]=false',
    ),
  );
  expect(posted.json.poll).toMatchObject({ multiple: false, options: [{ title: 'a' }, { title: 'b' }] });
  for (const poll of [
    { options: ['a'] },
    { options: ['a', 'b', 'c', 'd', 'e'] },
    { options: ['a', 'a'] },
    { options: ['a', ' '] },
    { options: ['a', 'x'.repeat(51)] },
    { expires_in: 299 },
    { expires_in: 2_629_747 },
    { expires_in: undefined },
  ]) {
    const response = await alice.post(statuses, { status: 'x', poll: { ...pollInput, ...poll } });
    expect([poll, response.status]).toEqual([poll, 422]);
  }
  expect((await alice.post(statuses, { poll: pollInput })).status).toBe(422);
  expect((await alice.post(statuses, { status: 'x', poll: {} })).json.poll).toBeNull();
  expect(
    (await alice.post(statuses, { status: 'x', poll: { ...pollInput, options: ['a', '👩‍🚀'.repeat(50)] } })).status,
  ).toBe(200);
});

test('POL-02: a vote counts once; own polls, repeated votes, invalid choices and expired polls are 422', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const { id, poll } = await postPoll(alice);
  expect((await vote(alice, poll.id, 0)).status).toBe(422);
  for (const choices of [[3], [-1], [0, 1]]) expect((await vote(bob, poll.id, ...choices)).status).toBe(422);
  expect((await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: ['x'] })).status).toBe(422);
  expect((await bob.post(`/api/v1/polls/${poll.id}/votes`)).status).toBe(400);
  expect((await vote(bob, poll.id)).json).toMatchObject({ voted: false, votes_count: 0 });
  const voted = await vote(bob, poll.id, 1);
  expect(voted.json).toMatchObject({ voted: true, own_votes: [1], votes_count: 1, voters_count: 1 });
  expect((await vote(bob, poll.id, 1)).status).toBe(422);
  expect((await bob.get(`${statuses}/${id}`)).json.poll).toEqual(voted.json);
  expect((await server.anonymous.get(`${statuses}/${id}`)).json.poll.options[1].votes_count).toBe(1);
  const readOnly = await server.withScopes(carol, 'read');
  expect((await vote(readOnly, poll.id, 1)).status).toBe(403);
  expect((await server.anonymous.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })).status).toBe(401);
  server.clock.advance(3600);
  expect((await vote(carol, poll.id, 1)).status).toBe(422);
  expect((await carol.get(`${statuses}/${id}`)).json.poll.expired).toBe(true);
});

test('POL-02: a multiple-choice poll accepts several options, in one vote or one after the other', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const { poll } = await postPoll(alice, { multiple: true, hide_totals: true });
  await vote(bob, poll.id, 0, 2, 2);
  const second = await vote(carol, poll.id, 2);
  expect(second.json).toMatchObject({ votes_count: 3, voters_count: 2, own_votes: [2] });
  expect(second.json.options.map(({ votes_count }: { votes_count: number }) => votes_count)).toEqual([
    null,
    null,
    null,
  ]);
  for (const again of [[2], [1, 2]]) expect((await vote(carol, poll.id, ...again)).status).toBe(422);
  const more = await vote(carol, poll.id, 1);
  expect(more.json).toMatchObject({ votes_count: 4, voters_count: 2, own_votes: [2, 1] });
  server.clock.advance(3601);
  const expired = (await server.anonymous.get(`/api/v1/polls/${poll.id}`)).json;
  expect(expired.options.map(({ votes_count }: { votes_count: number }) => votes_count)).toEqual([1, 1, 2]);
});

test('POL-02: concurrent votes of 50 users all count, and two by the same user count once', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { poll } = await postPoll(alice);
  const voters = await createUsers(server, 50);
  const responses = await Promise.all(
    voters.flatMap((voter, index) => [vote(voter, poll.id, index % 3), vote(voter, poll.id, (index + 1) % 3)]),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(50);
  expect(responses.filter(({ status }) => status === 422)).toHaveLength(50);
  const result = (await server.anonymous.get(`/api/v1/polls/${poll.id}`)).json;
  expect(result).toMatchObject({ votes_count: 50, voters_count: 50 });
});

test('POL-02: a poll is visible with its status only; a private one is 401 for anonymous viewers', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const { poll } = await postPoll(alice, {}, { visibility: 'private' });
  expect((await server.anonymous.get(`/api/v1/polls/${poll.id}`)).status).toBe(401);
  expect((await server.anonymous.get('/api/v1/polls/12345')).status).toBe(404);
  expect((await bob.get(`/api/v1/polls/${poll.id}`)).status).toBe(404);
  expect((await vote(bob, poll.id, 0)).status).toBe(404);
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  expect((await vote(bob, poll.id, 0)).status).toBe(200);
  const open = await postPoll(alice);
  await alice.post(`/api/v1/accounts/${carol.id}/block`);
  expect((await vote(carol, open.poll.id, 0)).status).toBe(404);
  await bob.post(`/api/v1/accounts/${alice.id}/block`);
  expect((await vote(bob, open.poll.id, 0)).status).toBe(403);
  await alice.delete(`${statuses}/${open.id}`);
  expect((await alice.get(`/api/v1/polls/${open.poll.id}`)).status).toBe(404);
});

test('POL-02: author and voters of a poll are notified of its end, once', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const { id, poll } = await postPoll(alice);
  await vote(bob, poll.id, 0);
  server.clock.advance(3599);
  await server.drain();
  expect([await listNotificationTypes(alice), await listNotificationTypes(bob)]).toEqual([[], []]);
  server.clock.advance(1);
  await server.drain();
  await server.drain();
  expect([
    await listNotificationTypes(alice),
    await listNotificationTypes(bob),
    await listNotificationTypes(carol),
  ]).toEqual([['poll'], ['poll'], []]);
  const [notification] = (await bob.get('/api/v1/notifications?types[]=poll')).json;
  expect(notification).toMatchObject({
    account: { id: alice.id },
    status: { id, poll: { expired: true, own_votes: [0] } },
  });
});
