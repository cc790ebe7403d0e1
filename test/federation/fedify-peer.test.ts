import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFederation, generateCryptoKeyPair, MemoryKvStore } from '@fedify/fedify';
import {
  Accept,
  type Activity,
  Announce,
  Block,
  Create,
  Delete,
  Follow,
  Like,
  Mention,
  Note,
  Person,
  PUBLIC_COLLECTION,
  Tombstone,
  Undo,
} from '@fedify/fedify/vocab';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { resolveAccount } from '../../server/federation/index.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { createOutgoing } from '../../server/platform/outgoing/outgoing.ts';
import { findFreePort } from '../free-port.ts';
import { startServer } from '../server.ts';
import { homeTimeline, postStatus, getRelationship } from './two-servers.ts';

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A server on a free port, which reaches private addresses, and a Fedify server. */
async function fedifyScene() {
  const port = await findFreePort();
  const settings = { BASE_URL: `http://127.0.0.1:${port}`, ALLOW_PRIVATE_ADDRESSES: 'on' };
  const outgoing = createOutgoing(parseConfig(settings), pino({ level: 'silent' }));
  const server = await startServer({ settings, outgoing });
  await server.http.listen({ port, host: '127.0.0.1' });
  const { received, context, close, port: peerPort } = await fedifyPeer();
  const fredUri = context.getActorUri('fred');
  return {
    server,
    received,
    fredUri,
    fredAcct: `fred@127.0.0.1:${peerPort}`,
    uriOf: (username: string): URL => new URL(`${settings.BASE_URL}/users/${username}`),
    /** Sends an activity of fred to a local account. */
    send(username: string, activity: Activity): Promise<void> {
      const id = new URL(`${settings.BASE_URL}/users/${username}`);
      const target = { id, inboxId: new URL(`${id.href}/inbox`), endpoints: null };
      return context.sendActivity({ identifier: 'fred' }, target, activity, { immediate: true });
    },
    async [Symbol.asyncDispose]() {
      close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Listens as a Fedify server on a local port, with an actor fred who accepts every follow. */
async function fedifyPeer() {
  const received: Activity[] = [];
  const keys = await generateCryptoKeyPair('RSASSA-PKCS1-v1_5');
  const federation = createFederation<void>({ kv: new MemoryKvStore(), allowPrivateAddress: true });
  federation
    .setActorDispatcher('/users/{identifier}', async (context, identifier) => {
      if (identifier !== 'fred') return null;
      const [pair] = await context.getActorKeyPairs(identifier);
      return new Person({
        id: context.getActorUri(identifier),
        preferredUsername: identifier,
        inbox: context.getInboxUri(identifier),
        followers: new URL('/users/fred/followers', context.origin),
        ...(pair && { publicKey: pair.cryptographicKey }),
      });
    })
    .setKeyPairsDispatcher(() => [keys]);
  const listeners = federation.setInboxListeners('/users/{identifier}/inbox', '/inbox');
  for (const type of [Accept, Announce, Block, Create, Delete, Like, Undo])
    listeners.on(type as typeof Create, (_context, activity) => void received.push(activity));
  listeners.on(Follow, async (context, follow) => {
    received.push(follow);
    const follower = await follow.getActor(context);
    const id = new URL(`#accepts/${received.length}`, context.getActorUri('fred'));
    if (follower !== null)
      await context.sendActivity(
        { identifier: 'fred' },
        follower,
        new Accept({ id, actor: context.getActorUri('fred'), object: follow }),
        { immediate: true },
      );
  });
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readAll(request);
      const init = {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      };
      const result = await federation.fetch(new Request(`http://${request.headers.host}${request.url}`, init), {
        contextData: undefined,
      });
      response
        .writeHead(result.status, Object.fromEntries(result.headers))
        .end(Buffer.from(await result.arrayBuffer()));
    })();
  });
  const port = await listen(server);
  return {
    received,
    context: federation.createContext(new URL(`http://127.0.0.1:${port}/`), undefined),
    port,
    close: () => server.close(),
  };
}

test('FED-02, FED-03: follow, post, like and delete work both ways with a Fedify server over real sockets', async () => {
  await using scene = await fedifyScene();
  const { server, received, fredUri, fredAcct } = scene;
  const alice = await server.user('alice');
  const fred = await resolveAccount(server.app, fredAcct);
  expect(fred).toBeDefined();
  await alice.post(`/api/v1/accounts/${fred}/follow`);
  await server.drain();
  await expect.poll(() => received.map(({ constructor }) => constructor.name)).toEqual(['Follow']);
  await expect
    .poll(async () => (await server.drain(), getRelationship(alice, fred ?? '')))
    .toMatchObject({ following: true });

  const noteId = new URL('/notes/1', fredUri);
  const note = new Note({ id: noteId, attribution: fredUri, to: PUBLIC_COLLECTION, content: '<p>From Fedify</p>' });
  const create = { id: new URL('/notes/1#create', fredUri), actor: fredUri, to: PUBLIC_COLLECTION, object: note };
  await scene.send('alice', new Create(create));
  await scene.send(
    'alice',
    new Follow({ id: new URL('#follow', fredUri), actor: fredUri, object: scene.uriOf('alice') }),
  );
  await server.drain();
  expect(await homeTimeline(alice)).toMatchObject([{ content: '<p>From Fedify</p>', account: { acct: fredAcct } }]);
  expect(await getRelationship(alice, fred ?? '')).toMatchObject({ followed_by: true });

  const status = await postStatus(alice, { status: 'To Fedify' });
  await alice.post(
    `/api/v1/statuses/${(await homeTimeline(alice)).find(({ uri }) => uri === noteId.href)?.id}/favourite`,
  );
  await server.drain();
  await alice.delete(`/api/v1/statuses/${status.id}`);
  await server.drain();
  await expect
    .poll(() => received.map(({ constructor }) => constructor.name).toSorted())
    .toEqual(['Accept', 'Create', 'Delete', 'Follow', 'Like']);

  const object = new Tombstone({ id: noteId });
  await scene.send(
    'alice',
    new Delete({ id: new URL('/notes/1#delete', fredUri), actor: fredUri, to: PUBLIC_COLLECTION, object }),
  );
  await server.drain();
  expect(await homeTimeline(alice)).toEqual([]);
});

test('a Fedify server posts to a group, reads what it boosts, and learns of a removal and a ban', async () => {
  await using scene = await fedifyScene();
  const { server, received, fredUri } = scene;
  const mia = await server.user('mia', { role: 'moderator' });
  const { json: birds } = await mia.post('/api/v1/fieldfare/groups', { username: 'birds' });
  const group = scene.uriOf('birds');
  await scene.send('birds', new Follow({ id: new URL('#follow', fredUri), actor: fredUri, object: group }));
  await server.drain();
  await expect.poll(() => received.map(({ constructor }) => constructor.name)).toEqual(['Accept']);

  const post = async (number: number): Promise<URL> => {
    const id = new URL(`/notes/${number}`, fredUri);
    const addressed = { tos: [PUBLIC_COLLECTION], ccs: [group] };
    const tags = [new Mention({ href: group, name: '@birds' })];
    const object = new Note({ id, attribution: fredUri, content: '<p>A wren</p>', tags, ...addressed });
    await scene.send('birds', new Create({ id: new URL(`${id.href}#create`), actor: fredUri, object, ...addressed }));
    await server.drain();
    return id;
  };
  /** What the group sent since the Accept: types, with the ids of the objects. */
  const sent = (): string[] =>
    received.slice(1).flatMap((activity) => {
      expect(activity.actorId?.href).toBe(group.href);
      return [`${activity.constructor.name} ${'objectId' in activity ? String(activity.objectId) : ''}`];
    });
  const noteId = await post(1);
  await expect.poll(() => received.length).toBe(3);
  expect(sent().toSorted()).toEqual([`Announce ${noteId.href}`, `Announce ${noteId.href}#create`]);
  const boosts = async () =>
    (await mia.get(`/api/v1/accounts/${birds.id}/statuses`)).json as { reblog: { id: string; uri: string } }[];
  const [boost] = await boosts();
  expect(boost?.reblog.uri).toBe(noteId.href);

  const announces = received.slice(1).map(({ id }) => `Undo ${id?.href}`);
  await mia.delete(`/api/v1/fieldfare/groups/${birds.id}/posts/${boost?.reblog.id}`);
  await server.drain();
  await expect.poll(() => received.length).toBe(5);
  expect(sent().slice(2).toSorted()).toEqual(announces.toSorted());

  const fred = await resolveAccount(server.app, scene.fredAcct);
  await mia.post(`/api/v1/fieldfare/groups/${birds.id}/bans`, { account_id: fred });
  await server.drain();
  await expect.poll(() => sent()).toContain(`Block ${fredUri.href}`);
  const count = received.length;
  await post(2);
  expect([await boosts(), received.length]).toEqual([[], count]);
});
