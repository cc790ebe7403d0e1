import type { AccountId } from '../../server/platform/ids.ts';
import { Network } from '../network.ts';
import type { TestServer, TestUser } from '../server.ts';
import { Peer, type PeerActor } from './peer.ts';
import { resolveAccountOn } from './two-servers.ts';

/** A server with alice, and a peer with eve. */
export interface PeerScene extends AsyncDisposable {
  readonly network: Network;
  readonly a: TestServer;
  readonly alice: TestUser;
  readonly peer: Peer;
  readonly eve: PeerActor;
}

export async function peerScene(): Promise<PeerScene> {
  const network = new Network();
  const a = await network.start('a.test');
  const peer = new Peer(network, 'peer.test');
  const alice = await a.user('alice');
  const eve = peer.actor('eve');
  return { network, a, alice, peer, eve, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

/** The same, where alice follows eve. */
export async function followingScene(): Promise<PeerScene> {
  const scene = await peerScene();
  await followPeer(scene.a, scene.alice, scene.peer, scene.eve);
  return scene;
}

/** Lets `user` follow an actor of a peer, who accepts. Returns the id of the actor on the user's server. */
export async function followPeer(server: TestServer, user: TestUser, peer: Peer, actor: PeerActor): Promise<AccountId> {
  const id = await resolveAccountOn(server, `${actor.username}@${actor.host}`);
  await user.post(`/api/v1/accounts/${id}/follow`);
  await server.drain();
  const request = peer.received.findLast(({ activity }) => activity['type'] === 'Follow')?.activity;
  await actor.send(server, actor.activity('Accept', request));
  await server.drain();
  return id;
}

/** Returns the time of a server's clock in ISO format, optionally some seconds later. */
export const isoTime = (server: TestServer, seconds = 0): string =>
  new Date(server.clock.now().getTime() + seconds * 1000).toISOString();
