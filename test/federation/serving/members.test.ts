import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteAccountAsStaff } from '../../../server/moderation/index.ts';
import { multipart } from '../../server.ts';
import { followingScene, type PeerScene } from '../peer-scene.ts';
import { postStatus, resolveStatusOn } from '../two-servers.ts';

/** Members of documents as other servers send them, and as this one does (reference/federation.tsv). */
let scene: PeerScene;
beforeAll(async () => {
  scene = await followingScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

async function readDocument(url: string): Promise<Record<string, unknown>> {
  const { pathname } = new URL(url);
  const response = await scene.a.http.inject({ url: pathname, headers: { accept: 'application/activity+json' } });
  expect(response.statusCode).toBe(200);
  return response.json();
}

async function eveOnServer(): Promise<Record<string, unknown>> {
  const { json } = await scene.alice.get('/api/v1/accounts/lookup?acct=eve@peer.test');
  return json;
}

interface ReceivedStatus {
  readonly id: string;
  readonly uri: string;
  readonly in_reply_to_id: string | null;
  readonly media_attachments: readonly { readonly blurhash: string | null }[];
}

/** Lets eve send a post. Returns it as alice sees it. */
async function receive(note: Record<string, unknown>): Promise<ReceivedStatus> {
  const { a, alice, eve } = scene;
  expect(await eve.send(a, eve.create(note))).toBe(202);
  await a.drain();
  const id = await resolveStatusOn(a, String(note['id']));
  return (await alice.get(`/api/v1/statuses/${id}`)).json;
}

/** Lets eve send a change of her profile. */
async function updateEve(members: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { a, eve } = scene;
  eve.documentOverrides = members;
  a.clock.advance(3600);
  expect(await eve.send(a, eve.activity('Update', eve.json()))).toBe(202);
  await a.drain();
  return eveOnServer();
}

test('FED-02: memorial is stored as it was received, and sent as it is stored', async () => {
  const { a } = scene;
  expect((await eveOnServer())['memorial']).toBeUndefined();
  expect(await updateEve({ memorial: true })).toMatchObject({ memorial: true });
  // Whatever is not a boolean is not a memorial.
  expect((await updateEve({ memorial: 'yes' }))['memorial']).toBeUndefined();
  expect(await updateEve({ memorial: true })).toMatchObject({ memorial: true });
  expect((await updateEve({}))['memorial']).toBeUndefined();
  const late = await a.user('late');
  await a.pool.query('update accounts set memorial = true where id = $1', [late.id]);
  expect(await readDocument('https://a.test/users/late')).toMatchObject({ memorial: true });
  expect(await readDocument('https://a.test/users/alice')).toMatchObject({ memorial: false });
});

test('FED-02: the description of an avatar is its summary, or else its name', async () => {
  const { alice } = scene;
  const icon = { type: 'Image', mediaType: 'image/png', url: 'https://peer.test/avatar.png' };
  const image = { ...icon, url: 'https://peer.test/header.png', name: 'A sky' };
  const described = { icon: { ...icon, summary: 'A swift', name: 'avatar.png' }, image };
  expect(await updateEve(described)).toMatchObject({ avatar_description: 'A swift', header_description: 'A sky' });
  expect(await updateEve({ icon })).toMatchObject({ avatar_description: '' });
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const avatar = new File([new Uint8Array(png)], 'a.png', { type: 'image/png' });
  const body = await multipart({ avatar, header: avatar, avatar_description: 'An owl' });
  expect((await alice.patch('/api/v1/accounts/update_credentials', body)).status).toBe(200);
  const document = await readDocument('https://a.test/users/alice');
  expect(document['icon']).toMatchObject({ type: 'Image', mediaType: 'image/png', summary: 'An owl' });
  expect(document['image']).not.toHaveProperty('summary');
});

test('FED-02: a blurhash with more than five components across or down is ignored, and its image is not', async () => {
  const { eve } = scene;
  /** `first` encodes the components: 9 times those down, and those across, both less one. */
  const hashOf = (first: string, components: number): string => `${first}${'0'.repeat(3 + 2 * components)}`;
  const hashes = [hashOf('e', 25), hashOf('5', 6), hashOf('j', 6), 'LEHV6nWB2yk8pyo0adR*.7kCMdnj', 'no', 7];
  const attachment = hashes.slice(0, 4).map((blurhash, n) => ({
    type: 'Document',
    mediaType: 'image/png',
    url: `https://peer.test/${n}.png`,
    name: `Image ${n}`,
    blurhash,
  }));
  const rest = hashes.slice(4).map((blurhash, n) => ({ ...attachment[n], blurhash }));
  const stored: (string | null)[] = [];
  for (const [n, list] of [attachment, rest].entries()) {
    const status = await receive(eve.note(`hashes${n}`, { attachment: list }));
    stored.push(...status.media_attachments.map(({ blurhash }) => blurhash));
  }
  // "e" is 40, which is five by five; "5" and "j" are six across and six down.
  expect(stored).toEqual([hashes[0], null, null, hashes[3], null, null]);
});

test('FED-02: a reply names the post that it replies to as inReplyTo and inReplyToAtomUri', async () => {
  const { alice, eve } = scene;
  const note = eve.note('parent', { atomUri: `${eve.uri}/notes/parent`, inReplyToAtomUri: null });
  const parent = await receive(note);
  const uri = String(note['id']);
  expect(parent).toMatchObject({ uri, in_reply_to_id: null });
  const reply = await postStatus(alice, { status: '@eve@peer.test Yes', in_reply_to_id: parent.id });
  expect(await readDocument(reply.uri)).toMatchObject({ inReplyTo: uri, inReplyToAtomUri: uri, atomUri: reply.uri });
  const alone = await postStatus(alice, { status: 'No reply' });
  expect(await readDocument(alone.uri)).toMatchObject({ inReplyTo: null, inReplyToAtomUri: null, atomUri: alone.uri });
  // As received, only inReplyTo counts: the other one is of the time before ActivityPub.
  const answer = eve.note('answer', { inReplyTo: reply.uri, inReplyToAtomUri: 'tag:peer.test,2016:objectId=1' });
  expect(await receive(answer)).toMatchObject({ in_reply_to_id: reply.id });
});

test('FED-02: WebFinger answers 410 for a deleted account, 404 for an unknown one and 400 without a resource', async () => {
  const { a } = scene;
  const gone = await a.user('gone');
  const find = async (query: string): Promise<[number, string]> => {
    const response = await a.http.inject({ url: `/.well-known/webfinger${query}` });
    return [response.statusCode, response.body];
  };
  expect((await find('?resource=acct:gone@a.test'))[0]).toBe(200);
  await deleteAccountAsStaff(a.app, 'system', { accountId: gone.id });
  await a.drain();
  for (const resource of [
    'acct:gone@a.test',
    'acct:GONE@a.test',
    'https://a.test/users/gone',
    'https://a.test/@gone',
  ]) {
    expect(await find(`?resource=${encodeURIComponent(resource)}`), resource).toEqual([410, '']);
  }
  for (const resource of ['acct:never@a.test', 'acct:gone@peer.test', 'https://peer.test/users/gone']) {
    expect(await find(`?resource=${encodeURIComponent(resource)}`), resource).toEqual([404, '']);
  }
  for (const query of ['', '?resource=', '?resource=nonsense']) expect(await find(query), query).toEqual([400, '']);
});

test('FED-02 ADM-05: a Flag whose id nothing serves is one report for each of its accounts, sent once or twice', async () => {
  const { a, alice, eve } = scene;
  const bob = await a.user('bob');
  const post = await postStatus(alice, { status: 'Reported' });
  const id = `https://peer.test/payloads/${crypto.randomUUID()}`;
  const object = ['https://a.test/users/alice', 'https://a.test/users/bob', post.uri];
  const flag = eve.activity('Flag', object, { id, content: 'Both of them' });
  expect(await eve.send(a, flag)).toBe(202);
  await eve.send(a, flag);
  await a.drain();
  const { rows } = await a.pool.query(
    "select target_account_id, status_ids from reports where comment = 'Both of them' order by target_account_id",
  );
  expect(rows).toEqual([
    { target_account_id: alice.id, status_ids: [post.id] },
    { target_account_id: bob.id, status_ids: [] },
  ]);
});
