import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { openMastodonImport, readMastodonEnvironment, type FinishedImport } from '../../server/server-imports/index.ts';
import { Network } from '../network.ts';
import { createEmptyDatabase, type EmptyDatabase } from '../ops/database.ts';
import { takeRsaKeyPair } from '../rsa-key-pairs.ts';
import type { TestServer } from '../server.ts';
import { Peer, type PeerActor } from '../federation/peer.ts';
import { moveLocalKeys } from './local-keypairs.ts';
import { domain, insertMastodonRows, otpKeys, type SourceKeys } from './mastodon-rows.ts';
import { isSince, mastodonSchema, type MastodonVersion } from './mastodon-schema.ts';

/** Returns a key pair as Ruby writes it. */
function keyPair(): { publicPem: string; privatePem: string } {
  const { publicKey, privateKey } = takeRsaKeyPair();
  return {
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privatePem: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  };
}

/** A database of a Mastodon with a few rows of every kind. */
export class MastodonDatabase implements AsyncDisposable {
  readonly keys: SourceKeys;
  readonly client: pg.Client;
  readonly #database: EmptyDatabase;

  private constructor(database: EmptyDatabase, client: pg.Client, keys: SourceKeys) {
    this.#database = database;
    this.client = client;
    this.keys = keys;
  }

  static async create(version: MastodonVersion, carol: { publicPem: string } = keyPair()): Promise<MastodonDatabase> {
    const database = await createEmptyDatabase();
    const client = await database.connect();
    await client.query(mastodonSchema(version));
    const keys = { alice: keyPair(), instance: keyPair(), carol };
    await insertMastodonRows(client, version, keys);
    if (isSince(version, '4.7')) await moveLocalKeys(client);
    return new MastodonDatabase(database, client, keys);
  }

  get url(): string {
    return this.#database.url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.end();
    await this.#database[Symbol.asyncDispose]();
  }
}

/** Writes an `.env.production` and returns its path. `lines` replace those of the same names. */
export function environmentFile(lines: readonly string[] = []): string {
  const path = join(mkdtempSync(join(tmpdir(), 'ff-mastodon-')), '.env.production');
  writeFileSync(path, [`LOCAL_DOMAIN=${domain}`, ...otpKeys, ...lines].join('\n'));
  return path;
}

export interface ImportOptions {
  readonly remote?: 'all' | 'needed';
  readonly mediaFolder?: string;
  readonly lines?: readonly string[];
  readonly onProgress?: (step: string, share: number) => void;
}

/** Imports into a server, as the command does. */
export async function importInto(
  { app }: TestServer,
  source: MastodonDatabase,
  { remote = 'all', mediaFolder, lines, onProgress = () => {} }: ImportOptions = {},
): Promise<FinishedImport> {
  const environment = await readMastodonEnvironment(environmentFile(lines));
  await using mastodon = await openMastodonImport(app, { databaseUrl: source.url, environment, remote, mediaFolder });
  return await mastodon.run(await mastodon.plan(() => {}), onProgress);
}

/** A server with the imported instance, and the emulated server of carol. */
export class MovedScene implements AsyncDisposable {
  readonly network: Network;
  readonly server: TestServer;
  readonly source: MastodonDatabase;
  readonly peer: Peer;
  readonly carol: PeerActor;

  private constructor(parts: Pick<MovedScene, 'network' | 'server' | 'source' | 'peer' | 'carol'>) {
    this.network = parts.network;
    this.server = parts.server;
    this.source = parts.source;
    this.peer = parts.peer;
    this.carol = parts.carol;
  }

  static async open(version: MastodonVersion): Promise<MovedScene> {
    const network = new Network();
    const server = await network.start(domain);
    const peer = new Peer(network, 'remote.test');
    const carol = peer.actor('carol');
    const source = await MastodonDatabase.create(version, { publicPem: carol.publicKeyPem });
    return new MovedScene({ network, server, source, peer, carol });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.source[Symbol.asyncDispose]();
    await this.network[Symbol.asyncDispose]();
  }
}
