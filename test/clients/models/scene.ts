import sharp from 'sharp';
import { publishAnnouncement, createAnnouncement } from '../../../server/announcements/index.ts';
import { approveSignUp, disableUser, enableUser } from '../../../server/moderation/index.ts';
import { addRule, translateRule } from '../../../server/site/rules/index.ts';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { publishTermsOfService } from '../../../server/site/terms/index.ts';
import { addTestEmoji } from '../../emoji-files.ts';
import { Peer } from '../../federation/peer.ts';
import { postBy } from '../../feeds.ts';
import { Network } from '../../network.ts';
import { multipart, type TestServer, type TestUser } from '../../server.ts';

/** A server with one of everything that clients decode. */
export interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly server: TestServer;
  /** The owner of the server, who reads everything. */
  readonly alice: TestUser;
  readonly bob: TestUser;
  readonly carol: TestUser;
  readonly crowd: readonly TestUser[];
}

const article = `<!doctype html><html lang="en"><head><title>Fieldfares</title>
  <meta property="og:title" content="Fieldfares are back"><meta property="og:description" content="A large thrush">
  <meta property="og:site_name" content="The News"><meta property="og:type" content="article">
  <meta property="article:published_time" content="2025-03-04T05:06:07+01:00">
  <meta property="og:image" content="/bird.jpg"><meta name="fediverse:creator" content="@bob@here.test"></head><body></body></html>`;

const translations = (body: { q?: string[] }) => ({
  translatedText: (body.q ?? []).map((text) => text.toUpperCase()),
  detectedLanguage: (body.q ?? []).map(() => ({ language: 'de', confidence: 90 })),
});

const json = (value: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});

/** Starts the server, with a site that is linked to, and a service that translates. */
export async function startScene(): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  const network = stack.use(new Network());
  const server = await network.start('here.test', { settings: { TRANSLATION_URL: 'http://translate.internal:5000/' } });
  network.addHost('news.test', () => ({
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(article),
  }));
  network.addHost('translate.internal:5000', ({ pathname }, { body }) =>
    json(pathname === '/languages' ? [{ code: 'de', targets: ['en'] }] : translations(JSON.parse(String(body)))),
  );
  const alice = await server.user('alice', { role: 'owner' });
  const [bob, carol] = [await server.user('bob'), await server.user('carol')];
  const crowd: TestUser[] = [];
  for (let number = 0; number < 10; number += 1) crowd.push(await server.user(`crowd_${number}`));
  await addTestEmoji(server, 'bird', undefined, { category: 'Animals' });
  await fillSite(server);
  const people = { alice, bob, carol, crowd };
  const scene = { network, server, ...people, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
  await fillProfiles(scene);
  await follow(scene);
  await createPosts(scene);
  await createNotifications(scene);
  await approveTrends(scene);
  await network.drain();
  stack.move();
  return scene;
}

async function fillSite({ app }: TestServer): Promise<void> {
  await changeSiteSettings(app, 'system', { contactUsername: 'alice', contactEmail: 'staff@here.test' });
  const rule = await addRule(app, 'system', { text: 'Be kind', hint: 'To everyone' });
  await translateRule(app, 'system', rule, { language: 'de', text: 'Sei nett', hint: '' });
  await publishTermsOfService(app, 'system', { content: '<p>Terms</p>' });
  const id = await createAnnouncement(app, 'system', { text: 'News for @alice about #birds :bird:' });
  await publishAnnouncement(app, 'system', id);
}

async function fillProfiles({ bob, carol }: Scene): Promise<void> {
  const image = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(image)], 'image.png', { type: 'image/png' });
  await bob.patch('/api/v1/accounts/update_credentials', await multipart({ avatar: file, header: file }));
  await bob.patch('/api/v1/accounts/update_credentials', {
    display_name: 'Bob :bird:',
    note: 'Likes #birds',
    bot: true,
    discoverable: true,
    fields_attributes: [{ name: 'Site', value: 'https://bob.example' }],
  });
  await carol.patch('/api/v1/accounts/update_credentials', { discoverable: true });
}

/** Bob follows Alice, who approves further followers. She is notified of the posts of Bob. */
async function follow({ alice, bob, carol, crowd, server }: Scene): Promise<void> {
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await alice.post(`/api/v1/accounts/${bob.id}/follow`, { notify: true });
  await carol.post(`/api/v1/accounts/${bob.id}/follow`);
  await alice.post(`/api/v1/accounts/${carol.id}/follow`);
  // A suggestion: two accounts that Alice follows do so.
  const suggested = crowd[1] as TestUser;
  await suggested.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  for (const user of [bob, carol]) await user.post(`/api/v1/accounts/${suggested.id}/follow`);
  await alice.post(`/api/v1/accounts/${carol.id}/note`, { comment: 'A friend' });
  await alice.patch('/api/v1/accounts/update_credentials', { locked: true });
  await server.drain();
}

async function upload(user: TestUser): Promise<string> {
  const body = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(body)], 'image.png', { type: 'image/png' });
  const fields = { file, description: 'A bird', focus: '0.1,-0.2' };
  return (await user.post('/api/v2/media', await multipart(fields))).json.id as string;
}

/** Posts of every kind, most of them by Bob. */
async function createPosts({ server, alice, bob, carol, network }: Scene): Promise<void> {
  await alice.post('/api/v2/filters', {
    title: 'Owls',
    context: ['home', 'public'],
    filter_action: 'warn',
    keywords_attributes: [{ keyword: 'owl', whole_word: true }],
  });
  const first = await postBy(bob, { status: 'Hello @alice, an owl #birds :bird:', language: 'en' });
  await postBy(alice, { status: '@bob Indeed', in_reply_to_id: first });
  await postBy(bob, { status: 'Look', media_ids: [await upload(bob)], spoiler_text: 'feathers', sensitive: true });
  await postBy(bob, { status: 'https://news.test/story', language: 'de' });
  const poll = { options: ['wren :bird:', 'robin'], expires_in: 300 };
  const single = await bob.post('/api/v1/statuses', { status: 'Which one?', poll });
  await alice.post(`/api/v1/polls/${single.json.poll.id}/votes`, { choices: [0] });
  await bob.post('/api/v1/statuses', { status: 'Which ones?', poll: { ...poll, multiple: true } });
  const quoted = await postBy(alice, { status: 'Quote me', visibility: 'public', quote_approval_policy: 'public' });
  await postBy(bob, { status: 'A quote', quoted_status_id: quoted });
  const deleted = await postBy(carol, { status: 'Soon gone', quote_approval_policy: 'public' });
  await postBy(bob, { status: 'A quote of what is gone', quoted_status_id: deleted });
  await carol.delete(`/api/v1/statuses/${deleted}`);
  await bob.post(`/api/v1/statuses/${quoted}/reblog`);
  await bob.post(`/api/v1/statuses/${quoted}/favourite`);
  await alice.post(`/api/v1/statuses/${first}/pin`);
  await postBy(bob, { status: '@alice psst', visibility: 'direct' });
  const at = new Date(server.clock.now().getTime() + 86_400_000).toISOString();
  const later = {
    status: 'later',
    visibility: 'public',
    scheduled_at: at,
    in_reply_to_id: first,
    media_ids: [await upload(alice)],
  };
  await alice.post('/api/v1/statuses', later);
  await alice.post('/api/v1/statuses', { status: 'later', visibility: 'public', scheduled_at: at, poll });
  await receiveRemotePost(network, server, alice);
}

/** A remote account posts one file of each type to a follower. */
async function receiveRemotePost(network: Network, server: TestServer, alice: TestUser): Promise<void> {
  const rita = new Peer(network, 'peer.test').actor('rita');
  rita.documentOverrides = { summary: '<p>From afar</p>', name: 'Rita', url: 'https://peer.test/@rita' };
  await rita.send(server, rita.activity('Follow', `https://here.test/users/${alice.username}`));
  await server.drain();
  await alice.post(`/api/v1/follow_requests/${(await alice.get('/api/v1/follow_requests')).json[0].id}/authorize`);
  const attachment = ['image/png', 'video/mp4', 'audio/mpeg', 'application/x-unknown'].map((mediaType, index) => ({
    type: 'Document',
    mediaType,
    url: `https://peer.test/files/${index}`,
  }));
  const note = rita.note(1, { attachment, cc: [`https://here.test/users/${alice.username}`] });
  await rita.send(server, rita.create(note));
  await server.drain();
}

/** What is not notified by the posts: edits, polls that end, follow requests, collections, reports, cut follows. */
async function createNotifications({ server, alice, bob, carol, crowd, network }: Scene): Promise<void> {
  const edited = await postBy(bob, { status: 'Before', quote_approval_policy: 'public' });
  await alice.post(`/api/v1/statuses/${edited}/reblog`);
  await postBy(alice, { status: 'Quoting', quoted_status_id: edited });
  await server.drain();
  await bob.put(`/api/v1/statuses/${edited}`, { status: 'After' });
  await carol.post(`/api/v1/accounts/${alice.id}/follow`);
  await carol.post('/api/v1/reports', { account_id: bob.id, comment: 'Adverts', category: 'spam' });
  await alice.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  const collection = { name: 'Birders', description: 'People who watch', account_ids: [alice.id], language: 'en' };
  const { json: created } = await bob.post('/api/v1/collections', collection);
  await server.drain();
  await bob.patch(`/api/v1/collections/${created.collection.id}`, { name: 'Birdwatchers' });
  await alice.patch('/api/v2/notifications/policy', { for_not_following: 'filter' });
  await postBy(crowd[0] as TestUser, '@alice may I?');
  await network.drain();
  await alice.post('/api/v1/domain_blocks', { domain: 'peer.test' });
  const pending = await server.user('pending', { approved: false });
  await approveSignUp(server.app, 'system', { accountId: pending.id, notify: false });
  await disableUser(server.app, alice.id, { accountId: bob.id, text: 'Please stop this' });
  await enableUser(server.app, alice.id, { accountId: bob.id });
  server.clock.advance(600);
  await server.drain();
}

/** Ten accounts use a hashtag and a link, and favourite a post; staff approve all as trends. */
async function approveTrends({ server, alice, bob, crowd }: Scene): Promise<void> {
  const liked = await postBy(bob, { status: 'Look, a fieldfare', language: 'en' });
  for (const user of crowd) {
    await postBy(user, { status: '#Thrushes https://news.test/story', language: 'en' });
    await user.post(`/api/v1/statuses/${liked}/favourite`);
  }
  await server.drain();
  await server.runSchedule('trend.refresh_trends');
  const staff = await server.withScopes(alice, 'admin:read admin:write');
  for (const kind of ['tags', 'statuses', 'links']) {
    for (const { id } of (await staff.get(`/api/v1/admin/trends/${kind}`)).json)
      await staff.post(`/api/v1/admin/trends/${kind}/${id}/approve`);
  }
  await server.runSchedule('trend.refresh_trends');
}
