import { createPublicKey, type KeyObject } from 'node:crypto';
import { openGotosocialImport, type FinishedImport } from '../../server/server-imports/index.ts';
import { Peer, type PeerActor } from '../federation/peer.ts';
import { Network } from '../network.ts';
import { takeRsaKeyPair } from '../rsa-key-pairs.ts';
import type { TestServer } from '../server.ts';
import { createDatabase, type GotosocialDatabase, type SourceKeys } from './gotosocial-database.ts';
import { domain, insertGotosocialRows } from './gotosocial-rows.ts';
import { gotosocialSchema, type Dialect, type GotosocialVersion } from './gotosocial-schema.ts';

/** Returns a key of RSA as Go stores it. */
function toGo(key: KeyObject): string {
  const { n, e, d, p, q } = key.export({ format: 'jwk' });
  const integer = (text = ''): bigint => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);
  const privatePart =
    d === undefined ? '' : `,"D":${integer(d)},"Primes":[${integer(p)},${integer(q)}],"Precomputed":{"CRTValues":[]}`;
  return `{"N":${integer(n)},"E":${integer(e)}${privatePart}}`;
}

function goKeyPair(): SourceKeys['alice'] {
  const { publicKey, privateKey } = takeRsaKeyPair();
  return {
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    publicJson: toGo(publicKey),
    privateJson: toGo(privateKey),
  };
}

/** Creates a database of a GoToSocial with a few rows of every kind. */
export async function createGotosocial(
  dialect: Dialect,
  version: GotosocialVersion,
  carolPem?: string,
): Promise<GotosocialDatabase> {
  const carol =
    carolPem === undefined ? goKeyPair() : { publicPem: carolPem, publicJson: toGo(createPublicKey(carolPem)) };
  const keys = { alice: goKeyPair(), instance: goKeyPair(), carol };
  const created = await createDatabase(dialect, { keys, version });
  await created.execute(gotosocialSchema(version, dialect));
  await insertGotosocialRows(created, keys);
  return created;
}

export interface ImportOptions {
  readonly remote?: 'all' | 'needed';
  readonly mediaFolder?: string;
  readonly onProgress?: (step: string, share: number) => void;
}

/** Imports into a server, as the command does. */
export async function importInto(
  { app }: TestServer,
  { address }: GotosocialDatabase,
  { remote = 'all', mediaFolder, onProgress = () => {} }: ImportOptions = {},
): Promise<FinishedImport> {
  await using opened = await openGotosocialImport(app, { database: address, remote, mediaFolder }, onProgress);
  return await opened.run(await opened.plan(() => {}), onProgress);
}

/** A server with the imported instance, and the emulated server of carol. */
export interface MovedScene extends AsyncDisposable {
  readonly network: Network;
  readonly server: TestServer;
  readonly source: GotosocialDatabase;
  readonly peer: Peer;
  readonly carol: PeerActor;
}

export async function openScene(dialect: Dialect, version: GotosocialVersion): Promise<MovedScene> {
  const network = new Network();
  const server = await network.start(domain);
  const peer = new Peer(network, 'remote.test');
  const carol = peer.actor('carol');
  const source = await createGotosocial(dialect, version, carol.publicKeyPem);
  return {
    network,
    server,
    source,
    peer,
    carol,
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]();
      await network[Symbol.asyncDispose]();
    },
  };
}
