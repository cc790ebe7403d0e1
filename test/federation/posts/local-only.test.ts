import { describe, expect, test } from 'vitest';
import { walk, type TestUser } from '../../server.ts';
import { postStatus, resolveStatusOn, type StatusJson } from '../two-servers.ts';
import { readEverything, scene, secret, tag, type Scene } from './leak-scene.ts';

// Local-only posts: local accounts see them like any others, and nothing of them leaves the server.

const visibilities = ['public', 'unlisted', 'private'] as const;

const options = (user: TestUser, visibility: string) => ({
  status: `${secret} of ${user.username} for @reader@far.test @bob #${tag}`,
  visibility,
  local_only: true,
});

/** Does with local-only posts what one can do with posts. Returns their ids. */
async function actAll({ network, alice, bob }: Scene): Promise<string[]> {
  const ids: string[] = [];
  const done = async (what: Promise<{ readonly status: number; readonly text: string }>): Promise<void> => {
    const { status, text } = await what;
    expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
  };
  for (const visibility of visibilities) {
    const post = await postStatus(alice, {
      ...options(alice, visibility),
      poll: { options: ['one', 'two'], expires_in: 300 },
    });
    const reply = await postStatus(bob, { ...options(bob, 'public'), local_only: undefined, in_reply_to_id: post.id });
    const next = await postStatus(alice, { ...options(alice, 'public'), in_reply_to_id: reply.id });
    ids.push(post.id, reply.id, next.id);
    await done(
      bob.post(`/api/v1/polls/${(post as StatusJson & { poll: { id: string } }).poll.id}/votes`, { choices: [0] }),
    );
    await done(bob.post(`/api/v1/statuses/${post.id}/favourite`));
    await done(bob.post(`/api/v1/statuses/${post.id}/react/🐦`));
    await done(alice.put(`/api/v1/statuses/${next.id}`, { status: `${secret} edited, @reader@far.test` }));
    await done(alice.post(`/api/v1/statuses/${next.id}/pin`));
    await network.drain();
    await done(alice.post(`/api/v1/statuses/${next.id}/unpin`));
    if (visibility === 'private') continue;
    const reblog = await alice.post(`/api/v1/statuses/${reply.id}/reblog`);
    await done(Promise.resolve(reblog));
    ids.push((reblog.json as StatusJson).id);
    const quote = await postStatus(bob, { status: `${secret} quoted`, quoted_status_id: post.id });
    ids.push(quote.id);
    await network.drain();
    await done(alice.post(`/api/v1/statuses/${post.id}/quotes/${quote.id}/revoke`));
    await done(alice.post(`/api/v1/statuses/${reply.id}/unreblog`));
  }
  await alice.post('/api/v1/fieldfare/threads', { posts: [options(alice, 'public'), { status: `${secret} goes on` }] });
  await network.drain();
  return ids;
}

/** Returns the id of a public post of the reader. */
async function storeRemotePost({ server, peer, reader }: Scene): Promise<string | undefined> {
  const canQuote = { automaticApproval: ['https://www.w3.org/ns/activitystreams#Public'] };
  const note = reader.note(1, { interactionPolicy: { canQuote } });
  peer.serve(note);
  return resolveStatusOn(server, String(note['id']));
}

describe('local-only posts', () => {
  test('nothing of them is sent to another server, whatever is done with them', async () => {
    await using all = await scene();
    const { network, server, alice, peer } = all;
    const ids = await actAll(all);
    server.clock.advance(600);
    await network.drain();
    for (const id of ids) await alice.delete(`/api/v1/statuses/${id}`);
    await network.drain();
    expect(peer.received.map(({ activity }) => activity)).toEqual([]);
    // The same acts are sent for other posts.
    const { id } = await postStatus(alice, { status: 'For everyone', visibility: 'public' });
    await network.drain();
    expect(JSON.stringify(peer.received)).toContain(id);
  });

  test('no route shows anything of them to a visitor or to another server', async () => {
    await using all = await scene();
    const { server, alice } = all;
    const open = await postStatus(alice, { status: 'open' });
    const reply = await postStatus(alice, { ...options(alice, 'public'), in_reply_to_id: open.id });
    const ids = [reply.id, ...(await actAll(all))];
    await alice.post(`/api/v1/statuses/${ids[0]}/pin`);
    await server.drain();
    // Trends are public.
    expect(await server.db.selectFrom('trend_uses').selectAll().execute()).toEqual([]);
    const tried = await readEverything(all, ids);
    expect(tried.leaks.map(({ url, accept }) => `${url} (${accept})`)).toEqual([]);
    expect(tried.answered).toBeGreaterThan(60);
  });

  test('local accounts see them where they see others', async () => {
    await using all = await scene();
    const { server, alice, bob, stranger } = all;
    const posts = new Map<string, StatusJson>();
    for (const visibility of visibilities) posts.set(visibility, await postStatus(alice, options(alice, visibility)));
    await server.drain();
    const [open, unlisted, followers] = visibilities.map((visibility) => posts.get(visibility)?.id ?? '');
    expect([...posts.values()]).toMatchObject(visibilities.map((visibility) => ({ visibility, local_only: true })));
    const listed = async (user: TestUser, path: string) =>
      (await walk(user, path)).map(({ id }) => id).filter((id) => [open, unlisted, followers].includes(id));
    expect(await listed(bob, '/api/v1/timelines/home')).toEqual([followers, unlisted, open]);
    for (const path of [
      '/api/v1/timelines/public',
      '/api/v1/timelines/public?local=true',
      `/api/v1/timelines/tag/${tag}`,
    ])
      expect(await listed(stranger, path), path).toEqual([open]);
    expect(await listed(stranger, '/api/v1/timelines/public?remote=true')).toEqual([]);
    expect(await listed(stranger, `/api/v1/accounts/${alice.id}/statuses`)).toEqual([unlisted, open]);
    expect(await listed(bob, `/api/v1/accounts/${alice.id}/statuses`)).toEqual([followers, unlisted, open]);
    expect((await stranger.get(`/api/v1/statuses/${followers}`)).status).toBe(404);
    const pages = await walk(stranger, '/api/v1/timelines/public?limit=1&min_id=0');
    expect(pages.map(({ id }) => id)).toContain(open);
    const found = await stranger.get(
      `/api/v2/search?resolve=true&q=${encodeURIComponent(posts.get('public')?.uri ?? '')}`,
    );
    expect(found.json).toMatchObject({ statuses: [{ id: open }] });
  });

  test('a reply or quote of one is local-only, and its number of replies counts there only', async () => {
    await using all = await scene();
    const { server, alice, bob } = all;
    const post = await postStatus(alice, options(alice, 'public'));
    const reply = await postStatus(bob, { status: 'yes', in_reply_to_id: post.id });
    const quote = await postStatus(bob, { status: 'look', quoted_status_id: post.id });
    expect([reply, quote]).toMatchObject([{ local_only: true }, { local_only: true }]);
    const open = await postStatus(alice, { status: 'open' });
    const aside = await postStatus(bob, { status: 'between us', in_reply_to_id: open.id, local_only: true });
    await server.drain();
    const repliesOf = async ({ id }: StatusJson) =>
      ((await bob.get(`/api/v1/statuses/${id}`)).json as { replies_count: number }).replies_count;
    expect([await repliesOf(post), await repliesOf(open)]).toEqual([1, 0]);
    expect((await bob.get(`/api/v1/statuses/${open.id}/context`)).json).toMatchObject({
      descendants: [{ id: aside.id }],
    });
    await bob.delete(`/api/v1/statuses/${reply.id}`);
    await bob.delete(`/api/v1/statuses/${aside.id}`);
    expect([await repliesOf(post), await repliesOf(open)]).toEqual([0, 0]);
    // The posts of a thread are stored together.
    const thread = { posts: [options(bob, 'public'), { status: 'more' }] };
    const [first] = (await bob.post('/api/v1/fieldfare/threads', thread)).json as StatusJson[];
    if (first === undefined) throw new Error('the thread is empty');
    expect(await repliesOf(first)).toBe(1);
    const boost = (await bob.post(`/api/v1/statuses/${post.id}/reblog`)).json as StatusJson;
    expect(boost).toMatchObject({ local_only: true, reblog: { local_only: true } });
  });

  test('422 names local_only where it cannot be', async () => {
    await using all = await scene();
    const { alice, bob } = all;
    const post = await postStatus(alice, options(alice, 'public'));
    const remoteId = await storeRemotePost(all);
    const refused = async (body: Record<string, unknown>) => {
      const { status, json } = await bob.post('/api/v1/statuses', { status: 'hello', ...body });
      return { status, fields: Object.keys((json as { details?: object }).details ?? {}) };
    };
    const error = { status: 422, fields: ['local_only'] };
    expect(await refused({ visibility: 'direct', local_only: true })).toEqual(error);
    expect(await refused({ visibility: 'direct', quoted_status_id: post.id })).toEqual(error);
    expect(await refused({ in_reply_to_id: post.id, local_only: false })).toEqual(error);
    expect(await refused({ quoted_status_id: remoteId, local_only: true })).toEqual(error);
  });

  test('a preference makes new posts of apps local-only, but no replies to other servers', async () => {
    await using all = await scene();
    const { alice, server } = all;
    const changed = await alice.patch('/api/v1/accounts/update_credentials', { source: { local_only: true } });
    expect(changed.json).toMatchObject({ source: { local_only: true } });
    expect((await alice.get('/api/v1/preferences')).json).toMatchObject({ 'posting:default:local_only': true });
    const remoteId = await storeRemotePost(all);
    expect(await postStatus(alice, { status: 'mine' })).toMatchObject({ local_only: true });
    expect(await postStatus(alice, { status: 'all', local_only: false })).toMatchObject({ local_only: false });
    const reply = await postStatus(alice, { status: '@reader@far.test hello', in_reply_to_id: remoteId });
    expect(reply).toMatchObject({ local_only: false });
    const scheduled = await alice.post('/api/v1/statuses', {
      status: 'later',
      scheduled_at: new Date(server.clock.now().getTime() + 600_000).toISOString(),
      local_only: true,
    });
    expect(scheduled.json).toMatchObject({ params: { local_only: true } });
    server.clock.advance(700);
    await server.drain();
    const [latest] = (await alice.get(`/api/v1/accounts/${alice.id}/statuses?limit=1`)).json as StatusJson[];
    expect(latest).toMatchObject({ content: '<p>later</p>', local_only: true });
  });

  test('for other servers it does not exist: what they send about it changes nothing', async () => {
    await using all = await scene();
    const { alice, peer, reader, server } = all;
    const post = await postStatus(alice, options(alice, 'public'));
    await reader.send(server, reader.activity('Like', post.uri));
    await reader.send(server, reader.activity('EmojiReact', post.uri, { content: '🐦' }));
    await reader.send(
      server,
      reader.activity('Announce', post.uri, { to: ['https://www.w3.org/ns/activitystreams#Public'] }),
    );
    const reply = reader.note(2, {
      inReplyTo: post.uri,
      tag: [{ type: 'Mention', href: 'https://s.test/users/alice' }],
    });
    await reader.send(server, reader.create(reply));
    const quoting = reader.note(3, { quote: post.uri });
    peer.serve(quoting);
    await reader.send(server, reader.activity('QuoteRequest', post.uri, { instrument: quoting['id'] }));
    await server.drain();
    const { json } = await alice.get(`/api/v1/statuses/${post.id}`);
    expect(json).toMatchObject({
      favourites_count: 0,
      reblogs_count: 0,
      replies_count: 0,
      quotes_count: 0,
      reactions: [],
    });
    expect((await alice.get(`/api/v1/statuses/${post.id}/context`)).json).toMatchObject({ descendants: [] });
    expect(peer.received).toEqual([]);
  });
});
