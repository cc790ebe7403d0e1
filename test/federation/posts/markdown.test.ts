import { expect, test } from 'vitest';
import { followAcross, postStatus, resolveStatusOn, twoServers } from '../two-servers.ts';

const markdown = 'text/markdown';

test('Markdown is sent as HTML with its source', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const rich = await postStatus(bob, { status: '**bold** #tag\n\n- `x`', content_type: markdown });
  const plain = await postStatus(bob, { status: '**not bold**' });
  await network.drain();
  const shown = (await alice.get(`/api/v1/statuses/${await resolveStatusOn(a, rich.uri)}`)).json;
  expect(shown.content).toBe((await bob.get(`/api/v1/statuses/${rich.id}`)).json.content);
  expect(shown.content).toContain('<ul><li><code>x</code></li></ul>');
  const headers = { accept: 'application/activity+json' };
  const noteOf = async (id: string) => (await b.http.inject({ url: `/users/bob/statuses/${id}`, headers })).json();
  expect(await noteOf(rich.id)).toMatchObject({ source: { content: '**bold** #tag\n\n- `x`', mediaType: markdown } });
  expect(await noteOf(plain.id)).not.toHaveProperty('source');
});

test('STA-05: unknown handles in Markdown are resolved after posting, except those in code', async () => {
  await using servers = await twoServers();
  const { network, a, alice, bob } = servers;
  const status = await postStatus(alice, { status: '**@bob@b.test** `@nobody@b.test`', content_type: markdown });
  expect(status).toMatchObject({
    mentions: [],
    content: '<p><strong>@bob@b.test</strong> <code>@nobody@b.test</code></p>',
  });
  await network.drain();
  const { json: found } = await alice.get(`/api/v1/statuses/${status.id}`);
  expect(found.mentions).toMatchObject([{ acct: 'bob@b.test' }]);
  expect(found.content).toContain('<strong><span class="h-card" translate="no"><a href="https://b.test/@bob"');
  expect((await bob.get('/api/v1/notifications')).json).toMatchObject([{ type: 'mention' }]);
  const { rows } = await a.app.pool.query(`select 1 from accounts where username = 'nobody'`);
  expect(rows).toEqual([]);
});
