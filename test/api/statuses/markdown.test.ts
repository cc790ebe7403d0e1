import { expect, test } from 'vitest';
import { form, startServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';
const markdown = 'text/markdown';

async function post(user: TestUser, status: string, more: object = {}) {
  const response = await user.post(statuses, { status, content_type: markdown, ...more });
  expect(response.status, response.text).toBe(200);
  return response.json;
}

const loadSource = async (user: TestUser, id: string) => (await user.get(`${statuses}/${id}/source`)).json;

test('the instance lists the accepted content types, and any other type is 422', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const version of ['v1', 'v2']) {
    const { json } = await server.anonymous.get(`/api/${version}/instance`);
    expect(json.configuration.statuses.supported_mime_types).toEqual(['text/plain', markdown]);
  }
  for (const type of ['text/html', 'text/bbcode', 'image/png']) {
    const refused = await alice.post(statuses, { status: 'x', content_type: type });
    expect([refused.status, refused.json.error]).toEqual([
      422,
      'Validation failed: content_type must be one of text/plain, text/markdown',
    ]);
  }
  const { id } = await post(alice, 'x');
  expect((await alice.put(`${statuses}/${id}`, { status: 'y', content_type: 'text/html' })).status).toBe(422);
  expect((await alice.post(statuses, { status: '*x*', content_type: '' })).json.content).toBe('<p>*x*</p>');
});

test('STA-01: Markdown is rendered as HTML, and plain text is left as it is', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { content } = await post(alice, '# News\n\n- **one**\n- `two`\n\n<b>x</b>');
  expect(content).toBe(
    '<p><strong>News</strong></p><ul><li><strong>one</strong></li><li><code>two</code></li></ul><p>&lt;b&gt;x&lt;/b&gt;</p>',
  );
  for (const type of ['text/plain', undefined]) {
    const plain = await post(alice, '**one**', { content_type: type });
    expect(plain.content).toBe('<p>**one**</p>');
    expect(await loadSource(alice, plain.id)).toMatchObject({ text: '**one**', content_type: 'text/plain' });
  }
  const sent = await alice.post(statuses, form({ status: '*x*', content_type: markdown }));
  expect(sent.json.content).toBe('<p><em>x</em></p>');
});

test('mentions and hashtags work in Markdown, except in code and in link texts', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  await server.user('carol');
  const status = await post(alice, '*@bob* **#Birds** `@carol #code` [@carol #words](https://b.test)');
  expect(status.mentions).toMatchObject([{ acct: 'bob' }]);
  expect(status.tags).toMatchObject([{ name: 'birds' }]);
  expect(status.content).toContain('class="u-url mention"');
  expect(status.content).toContain('<code>@carol #code</code>');
  await server.drain();
  expect((await bob.get('/api/v1/notifications')).json).toMatchObject([{ type: 'mention' }]);
  const unexpected = await alice.post(statuses, { status: '**@bob**', content_type: markdown, allowed_mentions: [] });
  expect(unexpected.status).toBe(422);
  const hidden = await alice.post(statuses, { status: '`@bob`', content_type: markdown, allowed_mentions: [] });
  expect(hidden.json.mentions).toEqual([]);
});

test('the character limit applies to the Markdown source, where a URL counts as 23 characters', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await alice.post(statuses, { status: `**${'x'.repeat(496)}**`, content_type: markdown })).status).toBe(200);
  expect((await alice.post(statuses, { status: `**${'x'.repeat(497)}**`, content_type: markdown })).status).toBe(422);
  const words = 'x'.repeat(500 - 23 - 4);
  const link = `[${words}](https://b.test/${'y'.repeat(300)})`;
  expect((await alice.post(statuses, { status: link, content_type: markdown })).status).toBe(200);
});

test('STA-11: an edit keeps the content type unless it sets one, and the history renders each version by its own type', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = await post(alice, '*first*');
  const edit = async (body: object) => (await alice.put(`${statuses}/${id}`, body)).json;
  server.clock.advance(60);
  expect((await edit({ status: '*second*' })).content).toBe('<p><em>second</em></p>');
  server.clock.advance(60);
  expect((await edit({ status: '*second*', content_type: 'text/plain' })).content).toBe('<p>*second*</p>');
  expect(await loadSource(alice, id)).toEqual({ id, text: '*second*', spoiler_text: '', content_type: 'text/plain' });
  const { json: history } = await alice.get(`${statuses}/${id}/history`);
  expect(history.map(({ content }: { content: string }) => content)).toEqual([
    '<p><em>first</em></p>',
    '<p><em>second</em></p>',
    '<p>*second*</p>',
  ]);
  const { rows } = await server.app.pool.query('select text, content_type from status_edits order by id');
  expect(rows).toEqual([
    { text: '*first*', content_type: markdown },
    { text: '*second*', content_type: markdown },
    { text: '*second*', content_type: null },
  ]);
});

test('STA-22: deleting a post returns its source text and content type', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = await post(alice, 'a *word*');
  expect((await alice.delete(`${statuses}/${id}`)).json).toMatchObject({ text: 'a *word*', content_type: markdown });
});

test('SCH-01: a scheduled post keeps its content type', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const scheduled = await post(alice, '*later*', {
    scheduled_at: new Date(server.clock.now().getTime() + 600_000).toISOString(),
  });
  expect(scheduled.params).toMatchObject({ text: '*later*', content_type: markdown });
  server.clock.advance(601);
  await server.drain();
  const [shown] = (await alice.get(`/api/v1/accounts/${alice.id}/statuses`)).json;
  expect(shown.content).toBe('<p><em>later</em></p>');
  expect(await loadSource(alice, shown.id)).toMatchObject({ text: '*later*', content_type: markdown });
});

test('the preferred content type of a user applies to posts without a content type', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const path = '/api/v1/accounts/update_credentials';
  const prefer = (type: string) => alice.patch(path, { source: { status_content_type: type } });
  expect((await prefer('text/html')).json.details).toMatchObject({ status_content_type: [{ error: 'ERR_INCLUSION' }] });
  expect((await prefer(markdown)).json.source.status_content_type).toBe(markdown);
  expect((await prefer('')).json.source.status_content_type).toBe(markdown);
  expect((await post(alice, '*x*', { content_type: undefined })).content).toBe('<p><em>x</em></p>');
  const plain = await post(alice, '*x*', { content_type: 'text/plain' });
  expect(plain.content).toBe('<p>*x*</p>');
  // An edit keeps the content type of the post.
  expect((await alice.put(`${statuses}/${plain.id}`, { status: '*y*' })).json.content).toBe('<p>*y*</p>');
  const at = new Date(server.clock.now().getTime() + 600_000).toISOString();
  const later = await post(alice, '*z*', { content_type: undefined, scheduled_at: at });
  expect(later.params.content_type).toBe(markdown);
  await prefer('text/plain');
  server.clock.advance(601);
  await server.drain();
  expect((await alice.get(`/api/v1/accounts/${alice.id}/statuses`)).json[0].content).toBe('<p><em>z</em></p>');
});
