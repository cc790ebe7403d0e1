// Seeds a database and sets the scenes that `npm run bench -- against` compares. Runs in the older checkout, with the sources
// beside it. A checkout without this file gets a copy, so it imports only what older benchmarks have.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import manifest from '../../package.json' with { type: 'json' };
import { countEverything } from '../count-measures.ts';
import { createScene as createFederationScene, type LocalAuthor } from '../federation/scene.ts';
import { Network } from '../federation/network.ts';
import { waitUntilIdle } from '../federation/wait-until-idle.ts';
import { createScene, type Scene } from '../scene.ts';
import { SeededServer } from '../seeded-server.ts';
import { createStreamScene, type StreamScene } from '../streaming/stream-scene.ts';
import type { PreparedOptions } from './options.ts';

/** What the requests of a comparison are about. Both servers have it in their databases. */
export interface PreparedScenes {
  readonly requests: Scene;
  readonly streams: StreamScene;
  readonly federation: {
    /** Follows the authors. */
    readonly reader: LocalAuthor;
    /** Has remote followers. */
    readonly popular: LocalAuthor;
    /** URIs of remote accounts. */
    readonly authors: readonly string[];
    /** Private keys of the remote accounts, as PEM. */
    readonly keys: readonly string[];
  };
}

const root = join(import.meta.dirname, '..', '..');
const options = JSON.parse(process.argv[2] ?? '') as PreparedOptions;
const { dataDir, baseUrl, accounts, statuses, readers, followers } = options;
const hosts = { hosts: 20, followers, authors: 60 };

const network = new Network(options.networkPort);
await network.start({ http2: false });
try {
  const env = { ...network.env, BASE_URL: baseUrl };
  const seeded = new SeededServer({ name: 'against', port: options.port, dataDir, accounts, statuses, env });
  seed(seeded.env);
  const scenes = await seeded.run(manifest.scripts.start, async (app): Promise<PreparedScenes> => {
    const streams = await createStreamScene(app, { readers, fewReaders: Math.ceil(readers / 10) });
    const requests = await createScene(app);
    const { reader, popular, authors } = await createFederationScene(app, {
      network,
      origin: seeded.origin,
      size: hosts,
    });
    await countEverything(app);
    await waitUntilIdle(app);
    await sql`vacuum analyze`.execute(app.db);
    const keys = network.keys.map(({ privateKey }) => String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
    return { requests, streams, federation: { reader, popular, authors, keys } };
  });
  writeFileSync(join(dataDir, 'scenes.json'), JSON.stringify(scenes));
} finally {
  await network.stop();
}
process.exit(0);

/** Fills the database with the command of this checkout. */
function seed(env: Readonly<Record<string, string>>): void {
  const file = 'bench/demo/main.ts';
  const command = existsSync(join(root, file)) ? [file] : ['bin/fieldfare.mjs', 'demo', 'seed'];
  const { NODE_OPTIONS: _, ...rest } = env;
  const { status } = spawnSync(process.execPath, [...command, '--accounts', accounts, '--statuses', statuses], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...rest },
  });
  if (status !== 0) throw new Error(`The demo data could not be stored: the command ended with ${status}.`);
}
