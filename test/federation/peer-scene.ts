import type { AccountId } from '../../server/platform/ids.ts';
import { Network } from '../network.ts';
import type { TestServer, TestUser } from '../server.ts';
import { Peer, type PeerActor } from './peer.ts';
import { resolveAccountOn } from './two-servers.ts';

/** A server with alice on it, and a peer that is written by hand with eve on it. */
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

/** Has `user` follow somebody on a peer, who accepts; gives the id by which the server knows them. */
export async function followPeer(server: TestServer, user: TestUser, peer: Peer, actor: PeerActor): Promise<AccountId> {
  const id = await resolveAccountOn(server, `${actor.username}@${actor.host}`);
  await user.post(`/api/v1/accounts/${id}/follow`);
  await server.drain();
  const request = peer.received.findLast(({ activity }) => activity['type'] === 'Follow')?.activity;
  await actor.send(server, actor.activity('Accept', request));
  await server.drain();
  return id;
}

/** The time on a server's clock, or some seconds later, as documents write it. */
export const isoTime = (server: TestServer, seconds = 0): string =>
  new Date(server.clock.now().getTime() + seconds * 1000).toISOString();
