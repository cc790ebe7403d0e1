import { routes } from '../../../server/app.ts';
import { signRequest } from '../../../server/federation/signatures/sign-request.ts';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { resolveAccountOn } from '../two-servers.ts';

// A server with a follower on another one and a relay, for posts that must not leave it.

export const secret = 'heronry';
export const tag = 'birdwatch';

export interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly server: TestServer;
  readonly alice: TestUser;
  /** Follows alice. */
  readonly bob: TestUser;
  readonly stranger: TestUser;
  readonly peer: Peer;
  /** Follows alice and bob, and is mentioned in most posts. */
  readonly reader: PeerActor;
}

/** Starts the servers. Nothing was sent to the other one yet. */
export async function scene(): Promise<Scene> {
  const network = new Network();
  const server = await network.start('s.test');
  const staff = await server.user('chief', { role: 'owner', scopes: 'read admin:read admin:write' });
  const [alice, bob, stranger] = [await server.user('alice'), await server.user('bob'), await server.user('stranger')];
  const peer = new Peer(network, 'far.test');
  const reader = peer.actor('reader');
  const relay = peer.actor('relay');
  relay.documentOverrides = { type: 'Application' };
  await resolveAccountOn(server, 'reader@far.test');
  for (const name of ['alice', 'bob'])
    await reader.send(server, reader.activity('Follow', `https://s.test/users/${name}`));
  await staff.post('/api/v1/fieldfare/admin/relays', { url: relay.json()['inbox'] });
  await network.drain();
  const follow = peer.received.find(({ activity }) => activity['type'] === 'Follow')?.activity;
  await relay.send(server, relay.activity('Accept', follow));
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await network.drain();
  peer.received.length = 0;
  const dispose = () => network[Symbol.asyncDispose]();
  return { network, server, alice, bob, stranger, peer, reader, [Symbol.asyncDispose]: dispose };
}

const anonymousRoutes = routes.filter(
  ({ method, options }) => method === 'GET' && !options.access.startsWith('staff:') && options.access !== 'session',
);
const accepts = ['application/json', 'text/html', 'application/activity+json'];

/**
 * Requests every route about the posts and their authors, as a visitor and signed by a follower. Returns those whose response
 * has something of them, and how many were answered.
 */
export async function readEverything({ server, alice, bob, reader }: Scene, ids: readonly string[]) {
  const values: Record<string, readonly string[]> = {
    username: [alice.username, bob.username],
    id: [...ids.slice(0, 2), alice.id],
    quoting_status_id: ids.slice(-1),
    name: [tag],
    tag: [tag],
    hashtag: [tag],
  };
  const leaks: {
    readonly path: string;
    readonly url: string;
    readonly accept: string;
    readonly ids: string[];
    readonly type: string;
  }[] = [];
  let answered = 0;
  for (const { path } of anonymousRoutes) {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    let urls = [path];
    for (const name of names)
      urls = urls.flatMap((url) => (values[name] ?? values['id'] ?? []).map((value) => url.replace(`:${name}`, value)));
    for (const url of urls) {
      for (const accept of path.startsWith('/api/') ? accepts.slice(0, 1) : accepts) {
        const request = { method: 'GET', url: `https://s.test${url}`, now: server.clock.now() } as const;
        const headers = { accept, host: 's.test', ...signRequest('cavage', request, reader) };
        const { statusCode, body, headers: sent } = await server.http.inject({ url, headers });
        if (statusCode === 200) answered++;
        const shownIds = ids.filter((id) => body.includes(id) && !url.includes(id));
        if (body.includes(secret) || shownIds.length > 0)
          leaks.push({ path, url, accept, ids: shownIds, type: String(sent['content-type']) });
      }
    }
  }
  return { leaks, answered };
}
