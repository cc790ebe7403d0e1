import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { storeRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { giveRole } from '../../staff/staff-roles.ts';
import { startServer, type TestServer } from '../../server.ts';
import { TestEventSource, TestSocket } from '../../streams.ts';

type Audience = 'public' | 'authenticated' | 'disabled';
type Origin = 'local' | 'remote';
const audiences: readonly Audience[] = ['public', 'authenticated', 'disabled'];

/** Posts a local and a remote status with a hashtag and a link. */
async function createPosts(server: TestServer): Promise<Record<Origin, string>> {
  const alice = await server.user('alice');
  const { id: local } = (await alice.post('/api/v1/statuses', { status: 'Near #birds' })).json;
  server.clock.advance(1);
  const remote = await postRemote(server, 1);
  await server.pool.query(
    `with card as (
      insert into preview_cards (id, url, type, link_type, title, description, author_name, author_url, provider_name,
        provider_url, html, embed_url, width, height, created_at, updated_at)
      values (1, 'https://news.test/', 'link', 'unknown', '', '', '', '', '', '', '', '', 0, 0, now(), now())
      returning id)
    insert into status_cards (status_id, card_id, url)
    select status_id, card.id, 'https://news.test/' from card, unnest($1::bigint[]) as status_id`,
    [[local, remote]],
  );
  return { local, remote };
}

async function postRemote(server: TestServer, number: number): Promise<StatusId> {
  const uri = 'https://far.test/users/erin';
  const accountId = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username: 'erin', domain: 'far.test', inboxUrl: `${uri}/inbox` }),
  );
  const id = await storeRemoteStatus(server.app, {
    uri: `${uri}/${number}`,
    accountId,
    content: '<p>Far #birds</p>',
    visibility: 'public',
    tags: ['birds'],
    publishedAt: server.clock.now(),
  });
  if (id === undefined) throw new Error('the post was not stored');
  return id;
}

/** What each viewer may see of posts with an audience. */
const mayView = {
  anonymous: (audience: Audience) => audience === 'public',
  bob: (audience: Audience) => audience !== 'disabled',
  // Her role has view_feeds.
  vera: () => true,
};

const timelines = {
  live: {
    all: '/api/v1/timelines/public?',
    local: '/api/v1/timelines/public?local=true',
    remote: '/api/v1/timelines/public?remote=true',
  },
  topic: {
    all: '/api/v1/timelines/tag/birds?',
    local: '/api/v1/timelines/tag/birds?local=true',
    remote: '/api/v1/timelines/tag/birds?remote=true',
    link: '/api/v1/timelines/link?url=https://news.test/',
  },
} as const;

interface Cell {
  readonly url: string;
  /** What the timeline lists, newest first. */
  readonly wanted: readonly Origin[];
  readonly settings: Record<Origin, Audience>;
}

const cells = (live: Cell['settings'], topic: Cell['settings']): Cell[] =>
  [
    { urls: timelines.live, settings: live },
    { urls: timelines.topic, settings: topic },
  ].flatMap(({ urls, settings }) =>
    Object.entries(urls).map(([origin, url]) => ({
      url,
      settings,
      wanted: origin === 'local' || origin === 'remote' ? [origin] : ['remote', 'local'],
    })),
  );

test('TML-02, ADM-06: every setting of timelines is applied to every viewer, timeline and origin of posts', async () => {
  await using server = await startServer();
  const posts = await createPosts(server);
  const [bob, vera] = [await server.user('bob'), await server.user('vera')];
  await giveRole(server, vera.id, { permissions: ['view_feeds'], position: 5 });
  const viewers = { anonymous: server.anonymous, bob, vera };
  await server.drain();
  for (const local of audiences) {
    for (const remote of audiences) {
      const topicLocal = local === 'disabled' ? 'authenticated' : local;
      await changeSiteSettings(server.app, 'system', {
        localLiveFeedAccess: local,
        remoteLiveFeedAccess: remote,
        localTopicFeedAccess: topicLocal,
        remoteTopicFeedAccess: remote,
      });
      const topics = { local: topicLocal, remote };
      expect((await server.anonymous.get('/api/v2/instance')).json.configuration.timelines_access).toEqual({
        live_feeds: { local, remote },
        hashtag_feeds: topics,
        trending_link_feeds: topics,
      });
      for (const { url, wanted, settings } of cells({ local, remote }, topics)) {
        for (const [name, viewer] of Object.entries(viewers)) {
          const visible = wanted.filter((part) => mayView[name as keyof typeof viewers](settings[part]));
          const isRefused = name === 'anonymous' && visible.length < wanted.length;
          const { status, json } = await viewer.get(url);
          const ids = status === 200 ? json.map(({ id }: { id: string }) => id) : [];
          expect([status, ids], `${name} ${url} ${local} ${remote}`).toEqual(
            isRefused ? [401, []] : [200, visible.map((part) => posts[part])],
          );
        }
      }
    }
  }
});

test('TML-02, STR-01: streams have only what their user may see, and end when that changes', async () => {
  await using server = await startServer();
  const [alice, bob, vera] = [await server.user('alice'), await server.user('bob'), await server.user('vera')];
  await giveRole(server, vera.id, { permissions: ['view_feeds'], position: 5 });
  await changeSiteSettings(server.app, 'system', {
    remoteLiveFeedAccess: 'disabled',
    remoteTopicFeedAccess: 'disabled',
  });
  const open = async (user: typeof bob) => {
    const socket = await TestSocket.open(server, user, 'stream=public');
    await socket.subscribe('public:remote');
    await socket.subscribe('hashtag', { tag: 'birds' });
    return socket;
  };
  const [ofBob, ofVera] = [await open(bob), await open(vera)];
  const events = await TestEventSource.open(server, bob, '/public');
  await alice.post('/api/v1/statuses', { status: 'Near #birds' });
  await postRemote(server, 1);
  const streamsOf = async (socket: TestSocket) => (await socket.take()).map(({ stream }) => stream?.[0]);
  expect((await streamsOf(ofBob)).toSorted()).toEqual(['hashtag', 'public']);
  expect((await streamsOf(ofVera)).toSorted()).toEqual(['hashtag', 'hashtag', 'public', 'public', 'public:remote']);
  expect(await events.take()).toHaveLength(1);
  const own = await TestSocket.open(server, bob, 'stream=user');
  await changeSiteSettings(server.app, 'system', { remoteLiveFeedAccess: 'authenticated' });
  expect(await Promise.all([ofBob.ended, ofVera.ended, events.ended])).toEqual([1012, 1012, undefined]);
  const again = await open(bob);
  await postRemote(server, 2);
  expect((await streamsOf(again)).toSorted()).toEqual(['public', 'public:remote']);
  await changeSiteSettings(server.app, 'system', { title: 'Birds', localLiveFeedAccess: 'disabled' });
  await again.ended;
  const last = await open(bob);
  await alice.post('/api/v1/statuses', { status: 'Near' });
  expect(await last.take()).toEqual([]);
  expect(await own.take()).toEqual([]);
  for (const socket of [own, last]) socket.close();
});

test('TML-02: the page and the feed of a hashtag and the front page show visitors what they may see', async () => {
  await using server = await startServer();
  await createPosts(server);
  const get = (path: string) => server.anonymous.get(path, { headers: { accept: 'text/html' } });
  await changeSiteSettings(server.app, 'system', { remoteTopicFeedAccess: 'disabled' });
  for (const path of ['/tags/birds', '/tags/birds.rss']) {
    const { text } = await get(path);
    expect([text.includes('Near'), text.includes('Far')], path).toEqual([true, false]);
  }
  expect((await get('/')).text).toContain('Near');
  await changeSiteSettings(server.app, 'system', {
    localTopicFeedAccess: 'authenticated',
    localLiveFeedAccess: 'disabled',
    remoteTopicFeedAccess: 'public',
  });
  expect((await get('/tags/birds.rss')).text).toContain('Far');
  expect((await get('/tags/birds.rss?local=true')).status).toBe(404);
  expect((await get('/')).text).not.toContain('Near');
  await changeSiteSettings(server.app, 'system', { remoteTopicFeedAccess: 'authenticated' });
  const { status, headers } = await get('/tags/birds');
  expect([status, headers['location']]).toEqual([303, expect.stringContaining('/auth/sign_in')]);
  expect((await get('/tags/birds.rss')).status).toBe(404);
});

test('ADM-06: staff set who may view timelines; the environment may keep visitors out', async () => {
  await using server = await startServer({ settings: { PUBLIC_PREVIEW: 'off' } });
  const staff = await server.user('merle', { role: 'admin', scopes: 'admin:read admin:write' });
  const path = '/api/v1/fieldfare/admin/settings';
  expect((await staff.patch(path, { local_topic_feed_access: 'disabled' })).status).toBe(422);
  const { status, json } = await staff.patch(path, {
    remote_live_feed_access: 'disabled',
    local_live_feed_access: 'public',
  });
  const valueOf = (name: string) => json.find((setting: { name: string }) => setting.name === name).value;
  expect(status).toBe(200);
  expect(['local_live_feed_access', 'remote_live_feed_access'].map(valueOf)).toEqual(['authenticated', 'disabled']);
});
