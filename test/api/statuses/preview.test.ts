import { expect, test } from 'vitest';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { newId } from '../../../server/platform/ids.ts';
import { form, startServer, type TestUser } from '../../server.ts';
import { writable } from '../../writable.ts';

const path = '/api/v1/fieldfare/statuses/preview';
const markdown = 'text/markdown';

const preview = async (user: TestUser, body: object) => {
  const response = await user.post(path, body);
  expect(response.status, response.text).toBe(200);
  return response.json;
};

test('a preview has the HTML, mentions, hashtags and emojis that the posted status has', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const at = server.clock.now();
  const emoji = { id: newId<'emoji'>(at), shortcode: 'redwing', image_key: 'a.png', static_key: 'a.png' };
  await transaction(server.app, ({ db }) =>
    writable(db)
      .insertInto('custom_emojis')
      .values({ ...emoji, visible_in_picker: true, disabled: false, created_at: at, updated_at: at })
      .execute(),
  );
  const text = {
    status: '# Birds\n\n**@bob** saw a :redwing: and a #Fieldfare #fieldfare `:redwing:`',
    spoiler_text: 'x',
  };
  const shown = await preview(alice, { ...text, content_type: markdown });
  const { json: posted } = await alice.post('/api/v1/statuses', { ...text, content_type: markdown });
  const { content, spoiler_text, mentions, tags, emojis } = posted;
  expect(shown).toEqual({ content, spoiler_text, mentions, tags, emojis });
  expect(shown.content).toContain('<strong>Birds</strong>');
  expect(shown.mentions).toMatchObject([{ id: bob.id, acct: 'bob' }]);
  expect(shown.tags).toMatchObject([{ name: 'fieldfare' }]);
  expect(shown.emojis).toMatchObject([{ shortcode: 'redwing' }]);
});

test('the content type is the default of the user if it is missing; forms work as well', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await preview(alice, { status: '*x*' })).content).toBe('<p>*x*</p>');
  expect((await preview(alice, { status: '*x*', content_type: 'text/plain' })).content).toBe('<p>*x*</p>');
  await alice.patch('/api/v1/accounts/update_credentials', { source: { status_content_type: markdown } });
  expect((await preview(alice, { status: '*x*' })).content).toBe('<p><em>x</em></p>');
  const sent = await alice.post(path, form(`status=*y*&content_type=${encodeURIComponent(markdown)}`));
  expect(sent.json.content).toBe('<p><em>y</em></p>');
});

test('a preview stores nothing, notifies nobody and looks up no remote account', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const count = async () =>
    (
      await server.app.pool.query(
        'select (select count(*) from statuses) + (select count(*) from tags) + (select count(*) from jobs) as total',
      )
    ).rows;
  const before = await count();
  const { content, mentions } = await preview(alice, {
    status: '@bob @carol@remote.test #new',
    content_type: markdown,
  });
  expect(content).toContain('@carol@remote.test');
  expect(mentions).toMatchObject([{ acct: 'bob' }]);
  expect(await count()).toEqual(before);
  await server.drain();
  expect((await bob.get('/api/v1/notifications')).json).toEqual([]);
});

test('accounts that the author blocks are not mentioned, as in a post', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await alice.post(`/api/v1/accounts/${bob.id}/block`);
  expect((await preview(alice, { status: '@bob' })).mentions).toEqual([]);
});

test('the limits are those of a post, and a blank text has an empty preview', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect(await preview(alice, {})).toEqual({ content: '', spoiler_text: '', mentions: [], tags: [], emojis: [] });
  expect((await preview(alice, { status: ' ', spoiler_text: 'Only a warning' })).content).toBe('<p>Only a warning</p>');
  const long = await alice.post(path, { status: 'x'.repeat(490), spoiler_text: 'y'.repeat(11) });
  expect([long.status, long.json.details.text[0].error]).toEqual([422, 'ERR_TOO_LONG']);
  const wrongType = await alice.post(path, { status: 'x', content_type: 'text/html' });
  expect([wrongType.status, wrongType.json.error]).toEqual([
    422,
    'Validation failed: content_type must be one of text/plain, text/markdown',
  ]);
  expect((await alice.post(path, { status: ['x'] })).status).toBe(422);
});

test('a preview needs a user and the scope to read statuses', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await server.anonymous.post(path, { status: 'x' })).status).toBe(401);
  expect((await (await server.withScopes(alice, 'write')).post(path, { status: 'x' })).status).toBe(403);
  expect((await (await server.withScopes(alice, 'read:accounts')).post(path, { status: 'x' })).status).toBe(403);
  expect((await (await server.withScopes(alice, 'read:statuses')).post(path, { status: 'x' })).status).toBe(200);
});
