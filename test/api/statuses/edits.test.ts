import sharp from 'sharp';
import { expect, test } from 'vitest';
import { multipart, startServer, type TestServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';

async function post(user: TestUser, body: object) {
  const response = await user.post(statuses, body);
  if (response.status !== 200) throw new Error(response.text);
  return response.json;
}

const edit = (user: TestUser, id: string, body: object) => user.put(`${statuses}/${id}`, body);

const historyOf = async (user: TestUser, id: string) => (await user.get(`${statuses}/${id}/history`)).json;

async function upload(user: TestUser, description = ''): Promise<string> {
  const body = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(body)], 'image.png', { type: 'image/png' });
  return (await user.post('/api/v2/media', await multipart({ file, description }))).json.id as string;
}

const idsOf = (status: { media_attachments: { id: string }[] }) => status.media_attachments.map(({ id }) => id);

/** Lists all notifications, also those that the default policy filters: private mentions by strangers. */
async function notificationsOf(server: TestServer, user: TestUser) {
  await server.drain();
  return (await user.get('/api/v1/notifications?include_filtered=true')).json as {
    id: string;
    type: string;
    status: { id: string };
  }[];
}

test('STA-11: an edit replaces the text, and the history has the previous versions', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const first = await post(alice, { status: 'One #cat', spoiler_text: 'careful', language: 'de' });
  expect(first.edited_at).toBeNull();
  server.clock.advance(60);
  const second = await edit(alice, first.id, { status: 'Two #dog' });
  expect(second.status).toBe(200);
  expect(second.json).toMatchObject({
    id: first.id,
    spoiler_text: '',
    sensitive: false,
    language: 'de',
    visibility: 'public',
    created_at: first.created_at,
    edited_at: server.clock.now().toISOString(),
    tags: [{ name: 'dog' }],
  });
  server.clock.advance(60);
  const third = await alice.patch(`${statuses}/${first.id}`, { status: 'Three', language: 'en', sensitive: true });
  expect(third.json).toMatchObject({ content: '<p>Three</p>', language: 'en', sensitive: true, tags: [] });
  expect((await server.anonymous.get(`${statuses}/${first.id}`)).json.content).toBe('<p>Three</p>');
  const history = await historyOf(alice, first.id);
  expect(history).toMatchObject([
    { content: first.content, spoiler_text: 'careful', sensitive: true, created_at: first.created_at },
    { content: second.json.content, spoiler_text: '', sensitive: false, created_at: second.json.edited_at },
    { content: '<p>Three</p>', sensitive: true, created_at: third.json.edited_at, account: { id: alice.id } },
  ]);
  expect((await alice.get(`${statuses}/${first.id}/source`)).json).toEqual({
    id: first.id,
    text: 'Three',
    content_type: 'text/plain',
    spoiler_text: '',
  });
  expect((await server.anonymous.get('/api/v1/timelines/tag/cat')).json).toEqual([]);
});

test('STA-11: a status without edits has one version, and an edit without changes adds none', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const file = await upload(alice, 'a bird');
  const status = await post(alice, { status: 'Same', spoiler_text: 'x', media_ids: [file] });
  expect(await historyOf(alice, status.id)).toHaveLength(1);
  const same = {
    status: 'Same',
    spoiler_text: 'x',
    media_ids: [file],
    media_attributes: [{ id: file, description: 'a bird' }],
  };
  const response = await edit(alice, status.id, same);
  expect([response.status, response.json.edited_at]).toEqual([200, null]);
  expect(await historyOf(alice, status.id)).toHaveLength(1);
});

test('STA-11: only the author can edit a status, invalid content is 422, and reblogs cannot be edited', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await post(alice, { status: 'Mine' });
  const reblog = (await bob.post(`${statuses}/${id}/reblog`)).json.id;
  expect((await edit(bob, id, { status: 'Ours' })).status).toBe(404);
  expect((await edit(bob, reblog, { status: 'Ours' })).status).toBe(422);
  expect((await server.anonymous.put(`${statuses}/${id}`, { status: 'x' })).status).toBe(401);
  expect((await edit(await server.withScopes(alice, 'read'), id, { status: 'x' })).status).toBe(403);
  for (const body of [{}, { status: ' ' }, { status: 'x'.repeat(501) }, { status: 'x', poll: { options: ['a'] } }]) {
    expect((await edit(alice, id, body)).status).toBe(422);
  }
  expect((await edit(alice, '123', { status: 'x' })).status).toBe(404);
  await alice.delete(`${statuses}/${id}`);
  expect((await edit(alice, id, { status: 'x' })).status).toBe(404);
});

test('STA-11: an edit can replace and describe attachments; the history has their previous versions', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [one, two, three] = [await upload(alice, 'one'), await upload(alice, 'two'), await upload(alice, 'three')];
  const { id } = await post(alice, { status: 'Look', media_ids: [one, two] });
  const changed = await edit(alice, id, {
    status: 'Look',
    media_ids: [three, two],
    media_attributes: [
      { id: two, description: 'second', focus: '0.5,0.5' },
      { id: '99', description: 'nobody' },
    ],
  });
  expect(idsOf(changed.json)).toEqual([three, two]);
  expect(changed.json.media_attachments[1]).toMatchObject({
    description: 'second',
    meta: { focus: { x: 0.5, y: 0.5 } },
  });
  const cleared = await edit(alice, id, { status: 'Look away' });
  expect(cleared.json.media_attachments).toEqual([]);
  const shown = (await historyOf(alice, id)).map(
    (version: { media_attachments: { id: string; description: string }[] }) =>
      version.media_attachments.map((file) => [file.id, file.description]),
  );
  expect(shown).toEqual([
    [
      [one, 'one'],
      [two, 'two'],
    ],
    [
      [three, 'three'],
      [two, 'second'],
    ],
    [],
  ]);
  const back = await edit(alice, id, { media_ids: [one] });
  expect([back.status, idsOf(back.json), back.json.content]).toEqual([200, [one], '']);
  const foreign = await upload(await server.user('bob'));
  expect((await edit(alice, id, { status: 'x', media_ids: [foreign] })).status).toBe(422);
});

test('STA-11: an edit notifies newly mentioned accounts, but not those mentioned before', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const { id } = await post(alice, { status: 'Hi @bob', visibility: 'direct' });
  expect(await notificationsOf(server, bob)).toHaveLength(1);
  const edited = await edit(alice, id, { status: 'Hi @carol' });
  expect(edited.json.mentions).toMatchObject([{ id: carol.id }]);
  expect((await notificationsOf(server, carol)).map(({ type }) => type)).toEqual(['mention']);
  expect((await bob.get(`${statuses}/${id}`)).status).toBe(200);
  await bob.post('/api/v1/notifications/clear');
  await edit(alice, id, { status: 'Hi @carol and @bob' });
  expect(await notificationsOf(server, bob)).toEqual([]);
  expect(await notificationsOf(server, carol)).toHaveLength(1);
});

test('STA-11: accounts that reblogged have one notification, about the latest edit', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await post(alice, { status: 'Draft' });
  await bob.post(`${statuses}/${id}/reblog`);
  await edit(alice, id, { status: 'Better' });
  const [first] = await notificationsOf(server, bob);
  expect(first).toMatchObject({ type: 'update', account: { id: alice.id }, status: { id, content: '<p>Better</p>' } });
  server.clock.advance(60);
  await edit(alice, id, { status: 'Best' });
  const later = await notificationsOf(server, bob);
  expect(later).toMatchObject([{ type: 'update', status: { content: '<p>Best</p>' } }]);
  expect(later[0]?.id).not.toBe(first?.id);
  await bob.post(`${statuses}/${id}/unreblog`);
  await edit(alice, id, { status: 'Best of all' });
  expect(await notificationsOf(server, bob)).toHaveLength(1);
});

test('POL-01: an edit of the options or of multiple choice deletes the votes; an edit of the text keeps them', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const poll = { options: ['Tea', 'Coffee'], expires_in: 600 };
  const status = await post(alice, { status: 'Drink?', poll });
  const vote = (choice: number) => bob.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [choice] });
  await vote(0);
  const readPoll = async () => (await bob.get(`${statuses}/${status.id}`)).json.poll;
  expect(await readPoll()).toMatchObject({ voted: true, votes_count: 1 });
  await edit(alice, status.id, { status: 'A drink?', poll });
  expect(await readPoll()).toMatchObject({ id: status.poll.id, voted: true, own_votes: [0], votes_count: 1 });
  await edit(alice, status.id, { status: 'A drink?', poll: { ...poll, options: ['Tea', 'Milk'] } });
  expect(await readPoll()).toMatchObject({ voted: false, own_votes: [], votes_count: 0, voters_count: 0 });
  expect((await vote(1)).json).toMatchObject({ voted: true, own_votes: [1], votes_count: 1 });
  await edit(alice, status.id, { status: 'A drink?', poll: { ...poll, options: ['Tea', 'Milk'], multiple: true } });
  expect(await readPoll()).toMatchObject({ voted: false, votes_count: 0, multiple: true });
  expect((await edit(alice, status.id, { status: 'No poll' })).json.poll).toBeNull();
  const history = await historyOf(alice, status.id);
  expect(history[0].poll).toEqual({ options: [{ title: 'Tea' }, { title: 'Coffee' }] });
  expect(history.at(-1)).not.toHaveProperty('poll');
  expect((await bob.get(`/api/v1/polls/${status.poll.id}`)).status).toBe(404);
  expect((await edit(alice, status.id, { status: 'Again', poll })).json.poll).toMatchObject({ votes_count: 0 });
});

test('POL-01: a poll that is added after another one was removed has no votes', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const poll = { options: ['Tea', 'Coffee'], expires_in: 600 };
  const status = await post(alice, { status: 'Drink?', poll });
  await bob.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [0] });
  const readPoll = async () => (await bob.get(`${statuses}/${status.id}`)).json.poll;
  expect(await readPoll()).toMatchObject({ voted: true, own_votes: [0] });
  await edit(alice, status.id, { status: 'No drink' });
  await edit(alice, status.id, { status: 'Drink?', poll });
  expect(await readPoll()).toMatchObject({ voted: false, own_votes: [], votes_count: 0 });
});

test('POL-01: an edit changes the end of a poll, and only the new end is notified', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = await post(alice, { status: 'x', poll: { options: ['a', 'b'], expires_in: 600 } });
  server.clock.advance(300);
  await edit(alice, id, { status: 'x', poll: { options: ['a', 'b'], expires_in: 600 } });
  server.clock.advance(400);
  expect(await notificationsOf(server, alice)).toEqual([]);
  server.clock.advance(200);
  expect((await notificationsOf(server, alice)).map(({ type }) => type)).toEqual(['poll']);
});

test('POL-01: an edit without an end leaves votes, end and hidden totals of a poll, also after its end', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const question = { options: ['Tea', 'Coffee'], multiple: false };
  const { id, poll } = await post(alice, {
    status: 'Drnk?',
    poll: { ...question, expires_in: 600, hide_totals: true },
  });
  await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] });
  server.clock.advance(300);
  const running = (await edit(alice, id, { status: 'Drink?', poll: question })).json;
  expect(running).toMatchObject({ content: '<p>Drink?</p>', poll: { expires_at: poll.expires_at, votes_count: 1 } });
  expect(running.poll.options[1].votes_count).toBeNull();
  const shown = (await edit(alice, id, { status: 'Drink?', poll: { ...question, hide_totals: false } })).json.poll;
  expect(shown).toMatchObject({ expires_at: poll.expires_at, options: [{ votes_count: 0 }, { votes_count: 1 }] });

  server.clock.advance(301);
  const types = async () => (await notificationsOf(server, bob)).map(({ type }) => type);
  expect(await types()).toContain('poll');
  const before = await types();
  const ended = (await edit(alice, id, { status: 'Drink!', poll: question })).json.poll;
  expect(ended).toMatchObject({ expires_at: poll.expires_at, expired: true, votes_count: 1 });
  const changed = (await types()).filter((type) => type === 'poll');
  expect(changed).toEqual(before.filter((type) => type === 'poll'));
});

test('POL-01: a new poll, and an ended one with another question, need an end', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const poll = { options: ['Tea', 'Coffee'] };
  const plain = await post(alice, { status: 'Drink?' });
  const blank = expect.stringContaining('blank');
  const added = await edit(alice, plain.id, { status: 'Drink?', poll });
  expect([added.status, added.json.error]).toEqual([422, blank]);
  const { id, poll: asked } = await post(alice, { status: 'Drink?', poll: { ...poll, expires_in: 600 } });
  await bob.post(`/api/v1/polls/${asked.id}/votes`, { choices: [1] });
  server.clock.advance(600);
  const other = { options: ['Tea', 'Milk'] };
  const refused = await edit(alice, id, { status: 'Drink?', poll: other });
  expect([refused.status, refused.json.error]).toEqual([422, blank]);
  expect((await bob.get(`${statuses}/${id}`)).json.poll).toMatchObject({ votes_count: 1, expired: true });
  const again = (await edit(alice, id, { status: 'Drink?', poll: { ...other, expires_in: 300 } })).json.poll;
  expect(again).toMatchObject({ votes_count: 0, expired: false });
});

test('STA-11: concurrent edits are all in the history', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = await post(alice, { status: 'Draft' });
  const responses = await Promise.all(['One', 'Two', 'Three'].map((status) => edit(alice, id, { status })));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  const history = await historyOf(alice, id);
  expect(history).toHaveLength(4);
  expect(history.at(-1).content).toBe((await alice.get(`${statuses}/${id}`)).json.content);
});
