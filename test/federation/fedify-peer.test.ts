import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFederation, generateCryptoKeyPair, MemoryKvStore } from '@fedify/fedify';
import {
  Accept,
  type Activity,
  Create,
  Delete,
  Follow,
  Like,
  Note,
  Person,
  PUBLIC_COLLECTION,
  Tombstone,
} from '@fedify/fedify/vocab';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { resolveAccount } from '../../server/federation/index.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { createOutgoing } from '../../server/platform/outgoing/outgoing.ts';
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
  for (const type of [Accept, Create, Delete, Like])
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

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

test('FED-02, FED-03: follow, post, like and delete work both ways with a Fedify server over real sockets', async () => {
  const port = await freePort();
  const settings = { BASE_URL: `http://127.0.0.1:${port}`, ALLOW_PRIVATE_ADDRESSES: 'on' };
  const outgoing = createOutgoing(parseConfig(settings), pino({ level: 'silent' }));
  await using server = await startServer({ settings, outgoing });
  await server.http.listen({ port, host: '127.0.0.1' });
  const peer = await fedifyPeer();
  try {
    const alice = await server.user('alice');
    const aliceUri = new URL(`${settings.BASE_URL}/users/alice`);
    const { context, received } = peer;
    const fredUri = context.getActorUri('fred');

    const fred = await resolveAccount(server.app, `fred@127.0.0.1:${peer.port}`);
    expect(fred).toBeDefined();
    await alice.post(`/api/v1/accounts/${fred}/follow`);
    await server.drain();
    await expect.poll(() => received.map(({ constructor }) => constructor.name)).toEqual(['Follow']);
    await expect
      .poll(async () => (await server.drain(), getRelationship(alice, fred ?? '')))
      .toMatchObject({ following: true });

    const target = { id: aliceUri, inboxId: new URL(`${aliceUri.href}/inbox`), endpoints: null };
    const send = (activity: Activity) =>
      context.sendActivity({ identifier: 'fred' }, target, activity, { immediate: true });
    const noteId = new URL('/notes/1', fredUri);
    const note = new Note({ id: noteId, attribution: fredUri, to: PUBLIC_COLLECTION, content: '<p>From Fedify</p>' });
    await send(
      new Create({ id: new URL('/notes/1#create', fredUri), actor: fredUri, to: PUBLIC_COLLECTION, object: note }),
    );
    await send(new Follow({ id: new URL('#follow', fredUri), actor: fredUri, object: aliceUri }));
    await server.drain();
    expect(await homeTimeline(alice)).toMatchObject([
      { content: '<p>From Fedify</p>', account: { acct: `fred@127.0.0.1:${peer.port}` } },
    ]);
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

    await send(
      new Delete({
        id: new URL('/notes/1#delete', fredUri),
        actor: fredUri,
        to: PUBLIC_COLLECTION,
        object: new Tombstone({ id: noteId }),
      }),
    );
    await server.drain();
    expect(await homeTimeline(alice)).toEqual([]);
  } finally {
    peer.close();
  }
});
