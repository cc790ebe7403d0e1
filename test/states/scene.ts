import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { createAnnouncement } from '../../server/announcements/index.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../server/platform/ids.ts';
import { acceptFollowRequest, followAccount } from '../../server/relationships/follow/index.ts';
import { storeRemoteStatus, type RemoteStatus } from '../../server/statuses/remote/index.ts';
import type { Client, TestServer, TestUser } from '../server.ts';
import { findFiles, remotePhoto, storePhoto } from './photos.ts';

/** Users who look at alice. bob and carol follow her. */
export interface Viewers {
  readonly anonymous: Client;
  readonly bob: TestUser;
  readonly carol: TestUser;
  readonly stranger: TestUser;
  readonly blocker: TestUser;
  readonly muter: TestUser;
  /** Filters notifications from accounts that she does not follow. */
  readonly filterer: TestUser;
  /** Approves followers; alice asked. */
  readonly locked: TestUser;
  /** Alice; anonymous if she is remote. */
  readonly self: Client;
  readonly staff: TestUser;
}

/** A server on which alice is on every surface, as an author and as an account. */
export interface Scene {
  readonly server: TestServer;
  readonly viewers: Viewers;
  readonly alice: { readonly id: AccountId; readonly acct: string };
  readonly ids: Readonly<Record<string, string>>;
}

/** How alice acts; a remote account acts by stored activities. */
interface Actor {
  readonly alice: Scene['alice'];
  /** Undefined: she is remote. */
  readonly user?: TestUser;
  readonly post: (status: {
    text: string;
    visibility?: 'direct' | 'public';
    parentId?: string;
    mentioned?: TestUser;
    poll?: boolean;
    photo?: boolean;
  }) => Promise<string>;
  readonly follow: (target: TestUser) => Promise<unknown>;
}

export const remoteProfile = {
  uri: 'https://far.test/users/alice',
  username: 'alice',
  domain: 'far.test',
  inboxUrl: 'https://far.test/users/alice/inbox',
  note: '<p>Birdwatcher</p>',
  discoverable: true,
  indexable: true,
  attributionDomains: ['news.test'],
};

/** Creates the scene with a local or a remote alice. A remote one takes no part in collections, quotes and pins. */
export async function createScene(server: TestServer, { local }: { local: boolean }): Promise<Scene> {
  const user = (name: string) => server.user(name, { scopes: 'read write follow' });
  const [bob, carol, stranger] = [await user('bob'), await user('carol'), await user('stranger')];
  const [blocker, muter, locked] = [await user('blocker'), await user('muter'), await user('locked')];
  const filterer = await user('filterer');
  await locked.patch('/api/v1/accounts/update_credentials', { locked: true });
  for (const viewer of [bob, carol]) await viewer.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  const actor = local ? await localActor(server) : await remoteActor(server);
  const { alice, user: self = server.anonymous, post, follow } = actor;
  const staff = await server.user('chief', { role: 'moderator', scopes: 'read admin:read' });
  const viewers = { anonymous: server.anonymous, bob, carol, stranger, blocker, muter, filterer, locked, self, staff };
  for (const viewer of [bob, carol]) {
    await succeed(viewer, `/api/v1/accounts/${alice.id}/follow`);
    if (!local) await acceptFollowRequest(server.app, alice.id, viewer.id);
  }
  for (const target of [bob, locked]) await follow(target);
  await succeed(carol, `/api/v1/accounts/${bob.id}/follow`);
  await succeed(stranger, `/api/v1/accounts/${carol.id}/follow`);
  await server.drain();
  const list = await succeed(bob, '/api/v1/lists', { title: 'Birds' });
  await succeed(bob, `/api/v1/lists/${list}/accounts`, { account_ids: [alice.id] });
  const root = await succeed(carol, '/api/v1/statuses', { status: 'root' });
  const heron = await post({ text: 'a rare heron #birds' });
  const reply = await post({ text: 'an answer', parentId: root });
  const direct = await post({ text: 'psst', visibility: 'direct', mentioned: bob });
  const choice = await post({ text: 'which?', poll: true });
  await filterer.put('/api/v2/notifications/policy', { for_not_following: 'filter' });
  const photo = await post({ text: 'a photo', photo: true });
  await post({ text: 'a question', mentioned: filterer });
  await server.drain();
  await succeed(bob, `/api/v1/statuses/${heron}/favourite`);
  await succeed(bob, `/api/v1/statuses/${heron}/bookmark`);
  const reblog = await succeed(carol, `/api/v1/statuses/${heron}/reblog`);
  await succeed(bob, `/api/v1/accounts/${alice.id}/endorse`);
  await succeed(blocker, `/api/v1/accounts/${alice.id}/block`);
  await succeed(muter, `/api/v1/accounts/${alice.id}/mute`);
  const own = await succeed(bob, '/api/v1/statuses', { status: 'of bob' });
  await addTrends(server, heron, alice.id);
  await createAnnouncement(server.app, 'system', { text: `Ask @${alice.acct}` });
  const poll = (await bob.get(`/api/v1/statuses/${choice}`)).json.poll.id as string;
  const ids = { list, root, heron, reply, direct, reblog, own, poll };
  const localIds = actor.user === undefined ? {} : await actLocally(actor.user, viewers, ids);
  await server.drain();
  const filtered = (await filterer.get('/api/v1/notifications/requests')).json[0].id as string;
  return {
    server,
    viewers,
    alice,
    ids: {
      ...ids,
      filtered,
      ...localIds,
      ...(await findNotifications(bob, alice.id)),
      ...(await findFiles(photo, viewers)),
    },
  };
}

async function succeed(user: TestUser, path: string, body: object = {}): Promise<string> {
  const { status, text, json } = await user.post(path, body);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return (json.collection?.id ?? json.id) as string;
}

async function localActor(server: TestServer): Promise<Actor> {
  const user = await server.user('alice', { scopes: 'read write follow' });
  await user.patch('/api/v1/accounts/update_credentials', {
    discoverable: true,
    indexable: true,
    note: 'Birdwatcher',
    attribution_domains: ['news.test'],
  });
  return {
    alice: { id: user.id, acct: 'alice' },
    user,
    post: async ({ text, visibility, parentId, mentioned, poll, photo }) =>
      succeed(user, '/api/v1/statuses', {
        status: mentioned === undefined ? text : `@${mentioned.username} ${text}`,
        ...(visibility !== undefined && { visibility }),
        ...(parentId !== undefined && { in_reply_to_id: parentId }),
        ...(poll === true && { poll: { options: ['a', 'b'], expires_in: 3600 } }),
        ...(photo === true && { media_ids: [await storePhoto(server, user.id)] }),
      }),
    follow: (target) => succeed(user, `/api/v1/accounts/${target.id}/follow`),
  };
}

const remotePoll = {
  options: ['a', 'b'].map((title) => ({ title, votes: 0 })),
  multiple: false,
  expiresAt: undefined,
  votersCount: 0,
};

async function remoteActor(server: TestServer): Promise<Actor> {
  const { app } = server;
  const id = await transaction(app, (tx) => storeRemoteAccount(tx, app, remoteProfile));
  let count = 0;
  return {
    alice: { id, acct: 'alice@far.test' },
    async post({ text, visibility = 'public', parentId, mentioned, poll, photo }) {
      count += 1;
      const status: RemoteStatus = {
        uri: `${remoteProfile.uri}/statuses/${count}`,
        accountId: id,
        content: `<p>${text}</p>`,
        visibility,
        tags: text.includes('#birds') ? ['birds'] : [],
        mentions: mentioned === undefined ? [] : [{ accountId: mentioned.id }],
        ...(parentId !== undefined && { inReplyToId: parentId as StatusId }),
        ...(poll === true && { poll: remotePoll }),
        ...(photo === true && { attachments: [remotePhoto] }),
        publishedAt: server.clock.now(),
      };
      const stored = await storeRemoteStatus(app, status);
      if (stored === undefined) throw new Error(`${text} was not stored`);
      return stored;
    },
    follow: (target) => followAccount(app, id, target.id),
  };
}

/** Makes a post trend, and its link to a page that alice wrote. */
async function addTrends(server: TestServer, statusId: string, aliceId: string): Promise<void> {
  await server.pool.query(
    `with card as (
      insert into preview_cards (id, url, type, link_type, title, description, author_name, author_url, provider_name,
        provider_url, html, embed_url, width, height, creator_account_id, created_at, updated_at)
      values (1, 'https://news.test/', 'link', 'unknown', '', '', '', '', '', '', '', '', 0, 0, $2, now(), now())
      returning id),
    reviewed as (
      insert into link_reviews (card_id, domain, trendable, reviewed_at)
      select id, 'news.test', true, now() from card),
    trend as (
      insert into trends (kind, subject_id, language, peak_score, peak_at, score)
      select 'link', id, 'en', 10, now(), 10 from card),
    linked as (insert into status_cards (status_id, card_id, url) select $1, id, 'https://news.test/' from card),
    review as (insert into status_reviews (status_id, trendable, reviewed_at) values ($1, true, now()))
    insert into trends (kind, subject_id, language, peak_score, peak_at, score)
    values ('status', $1, 'en', 10, now(), 10)`,
    [statusId, aliceId],
  );
}

/** Adds what only a local alice does, or others do with her consent. */
async function actLocally(
  alice: TestUser,
  { bob, carol }: Viewers,
  { heron, own }: { heron: string; own: string },
): Promise<Record<string, string>> {
  await succeed(alice, `/api/v1/statuses/${heron}/pin`);
  await succeed(alice, '/api/v1/featured_tags', { name: 'birds' });
  await succeed(alice, `/api/v1/statuses/${own}/favourite`);
  await succeed(alice, `/api/v1/statuses/${own}/reblog`);
  const quote = await succeed(carol, '/api/v1/statuses', { status: 'look', quoted_status_id: heron });
  const collection = await succeed(carol, '/api/v1/collections', { name: 'Recommended', account_ids: [alice.id] });
  const owned = await succeed(alice, '/api/v1/collections', { name: 'Mine', account_ids: [bob.id] });
  const reviewed = { status: 'Ask me', interaction_policy: { can_favourite: { manual_approval: ['public'] } } };
  await succeed(alice, `/api/v1/statuses/${await succeed(carol, '/api/v1/statuses', reviewed)}/favourite`);
  const request = (await carol.get('/api/v1/interaction_requests')).json[0].id as string;
  return { quote, collection, owned, request };
}

/** Returns a notification and a group of bob that alice caused. */
async function findNotifications(bob: TestUser, aliceId: string): Promise<Record<string, string>> {
  const all = (await bob.get('/api/v1/notifications?types[]=mention')).json as {
    id: string;
    account: { id: string };
  }[];
  const { notification_groups: groups } = (await bob.get('/api/v2/notifications?types[]=mention')).json;
  const notification = all.find(({ account }) => account.id === aliceId)?.id ?? '';
  return { notification, group: String(groups?.[0]?.group_key) };
}
