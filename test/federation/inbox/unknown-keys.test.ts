import { expect, test } from 'vitest';
import { strangerLimits } from '../../../server/federation/keys/stranger-budget.ts';
import { signRequest } from '../../../server/federation/signatures/sign-request.ts';
import { Network } from '../../network.ts';
import type { TestServer } from '../../server.ts';
import { Peer, PeerActor } from '../peer.ts';
import { resolveAccountOn } from '../two-servers.ts';

const attackers = ['198.51.100.7', '198.51.100.8', '2001:db8::7'];
const peerAddress = '192.0.2.1';

interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly a: TestServer;
  /** Signs for every key id that a test makes up. */
  readonly mallory: PeerActor;
  /** Sends an activity that is signed with a key id. */
  readonly attack: (keyId: string, ip?: string) => Promise<number>;
  /** The addresses that were requested from a host, on any port, also if the name ends with a dot. */
  readonly requestedFrom: (host: string) => string[];
}

async function scene(settings: Record<string, string> = {}): Promise<Scene> {
  const network = new Network();
  const a = await network.start('a.test', { settings });
  await a.user('alice');
  const mallory = new PeerActor('evil.test', 'mallory');
  return {
    network,
    a,
    mallory,
    attack: (keyId, ip = attackers[0] ?? '') =>
      mallory.send(a, mallory.activity('Follow', 'https://a.test/users/alice'), {
        as: { keyId, privateKey: mallory.privateKey },
        ip,
      }),
    requestedFrom: (host) =>
      network.requests.flatMap(({ url }) => (new URL(url).hostname.replace(/\.$/, '') === host ? url : [])),
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  };
}

/** Adds an actor that signs with the key of another one, because keys take long to generate. */
function addActor(peer: Peer, username: string, { publicKeyPem, privateKey }: PeerActor) {
  const actor = peer.actor(username);
  actor.documentOverrides = { publicKey: { id: actor.keyId, owner: actor.uri, publicKeyPem } };
  return { actor, as: { keyId: actor.keyId, privateKey } };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

test('FED-03: signatures with made-up handles cause few requests to their host, however many senders there are', async () => {
  await using s = await scene();
  const { network, attack, requestedFrom } = s;
  network.addHost('victim.test', () => ({ status: 404 }));
  const statuses = new Set<number>();
  for (const at of numbers(200)) statuses.add(await attack(`acct:u${at}@victim.test`, attackers[at % 3]));
  const first = requestedFrom('victim.test');
  expect(first).toHaveLength(strangerLimits.toHost);
  // The domain has no host-meta document, which is known after the first handle.
  expect(first.filter((url) => url.includes('host-meta'))).toEqual([
    'https://victim.test/.well-known/host-meta',
    'https://victim.test/.well-known/host-meta.json',
  ]);
  expect(statuses).toEqual(new Set([401, 503]));
  network.clock.advance(strangerLimits.seconds);
  for (const at of numbers(100)) await attack(`acct:v${at}@victim.test`, attackers[at % 3]);
  expect(requestedFrom('victim.test')).toHaveLength(2 * strangerLimits.toHost);
});

test('FED-03: host-meta is requested only from a domain that answers 404 to WebFinger', async () => {
  await using s = await scene();
  const { network, attack, requestedFrom } = s;
  const answers = { html: 200, denied: 403, invalid: 400, gone: 410, down: 503 };
  for (const [name, status] of Object.entries(answers)) {
    network.addHost(`${name}.test`, () => ({ status, body: Buffer.from('<html></html>') }));
    await attack(`acct:u@${name}.test`);
    expect([name, requestedFrom(`${name}.test`).length]).toEqual([name, 1]);
  }
});

test('FED-03: no way to name a host makes strangers cause more requests to it', async () => {
  await using s = await scene({ SECURE_MODE: 'on' });
  const { network, a, mallory, attack, requestedFrom } = s;
  const victim = new Peer(network, 'victim.test');
  network.addHost('victim.test:8443', () => ({ status: 404 }));
  for (const at of numbers(10)) {
    const known = addActor(victim, `known${at}`, mallory);
    await resolveAccountOn(a, `known${at}@victim.test`);
    known.actor.documentOverrides = {};
  }
  const evil = new Peer(network, 'evil.test');
  for (const at of numbers(10))
    addActor(evil, `claims${at}`, mallory).actor.documentOverrides['webfinger'] = `u${at}@victim.test`;
  network.addHost('hops.test', ({ pathname }) => ({
    status: 302,
    headers: { location: `https://victim.test${pathname}` },
  }));
  const other = new PeerActor('other.test', 'other');
  network.requests.length = 0;
  for (const at of numbers(10)) {
    const ip = attackers[at % 3];
    await attack(`https://victim.test/users/u${at}#main-key`, ip);
    await attack(`https://VICTIM.test./keys/${at}`, ip);
    await attack(`https://victim.test:8443/users/u${at}#main-key`, ip);
    await attack(`acct:u${at}@victim.test`, ip);
    await attack(`https://hops.test/users/h${at}#main-key`, ip);
    await attack(`acct:u${at}@hops.test`, ip);
    // A known key, which does not fit.
    const keyId = `https://victim.test/users/known${at}#main-key`;
    await other.send(a, other.activity('Follow', 'https://a.test/users/alice'), {
      as: { keyId, privateKey: other.privateKey },
      ...(ip !== undefined && { ip }),
    });
    // Its handle is on the host.
    await attack(`https://evil.test/users/claims${at}#main-key`, ip);
    for (const path of ['/users/alice', '/users/alice/followers_synchronization']) {
      const signer = { keyId: `https://victim.test/g${at}${path}#main-key`, privateKey: mallory.privateKey };
      const url = `https://a.test${path}`;
      const headers = signRequest('cavage', { method: 'GET', url, now: network.clock.now() }, signer);
      const accept = 'application/activity+json';
      await a.http.inject({
        url: path,
        headers: { host: 'a.test', accept, ...headers },
        ...(ip && { remoteAddress: ip }),
      });
    }
  }
  expect(requestedFrom('victim.test')).toHaveLength(strangerLimits.toHost);
});

test('FED-03: one sender causes few requests, to however many hosts', async () => {
  await using s = await scene();
  const { network, attack } = s;
  network.requests.length = 0;
  for (const at of numbers(200)) await attack(`acct:u@host${at}.test`);
  expect(network.requests).toHaveLength(strangerLimits.bySender);
  // The other addresses of an IPv6 /64 are the same sender, and those elsewhere are not.
  for (const at of numbers(200)) await attack(`acct:w@host${at}.test`, `2001:db8:1:1::${at + 1}`);
  expect(network.requests).toHaveLength(2 * strangerLimits.bySender);
});

test('FED-03: a used-up budget does not keep other hosts from delivering, nor the senders that a host is known to use', async () => {
  await using s = await scene();
  const { network, a, mallory, attack } = s;
  const [victim, peer] = [new Peer(network, 'victim.test'), new Peer(network, 'peer.test')];
  const follow = async (host: Peer, name: string, ip: string) => {
    const { actor, as } = addActor(host, name, mallory);
    return actor.send(a, actor.activity('Follow', 'https://a.test/users/alice'), { as, ip });
  };
  expect(await follow(victim, 'first', peerAddress)).toBe(202);
  for (const at of numbers(60)) await attack(`acct:u${at}@victim.test`);
  expect(await attack('acct:x@victim.test')).toBe(503);
  expect(await follow(victim, 'second', peerAddress)).toBe(202);
  expect(await follow(peer, 'third', '192.0.2.99')).toBe(202);
  expect(await follow(peer, 'fourth', attackers[0] ?? '')).toBe(202);
  // A sender that never signed for the host has to try later.
  expect(await follow(victim, 'fifth', '192.0.2.99')).toBe(503);
  network.clock.advance(strangerLimits.seconds);
  expect(await follow(victim, 'sixth', '192.0.2.99')).toBe(202);
  await a.drain();
});

test('FED-03: valid signatures use up nothing', async () => {
  await using s = await scene();
  const { network, a, mallory } = s;
  const peer = new Peer(network, 'peer.test');
  const statuses = [];
  for (const at of numbers(40)) {
    const { actor, as } = addActor(peer, `p${at}`, mallory);
    const options = { as, ip: `192.0.2.${at + 1}` };
    statuses.push(await actor.send(a, actor.activity('Follow', 'https://a.test/users/alice'), options));
  }
  expect(new Set(statuses)).toEqual(new Set([202]));
  expect(network.requests.filter(({ url }) => url.startsWith('https://peer.test/')).length).toBeGreaterThan(
    strangerLimits.toHost,
  );
  await a.drain();
});
