import { expect, test } from 'vitest';
import { Cluster, findMissingPrograms, type Part } from '../../bench/cluster/cluster.ts';
import { observeFailure } from '../../bench/cluster/observe-failure.ts';
import { userCreator } from '../../bench/scene.ts';
import { skipUnlessCi } from '../programs.ts';
import { Installation } from './cli-process.ts';
import { migratedPostgres } from './migrated-postgres.ts';

/** The statuses that users may see when a part fails. A pooler may close connections before they are used. */
const failures: Readonly<Record<Part, readonly string[]>> = {
  // What a process did not answer, and may have done, is not sent to another one.
  web: ['502'],
  // Only streams break.
  streaming: [],
  worker: [],
  valkey: [],
  pooler: ['503'],
  replica: [],
  primary: ['503'],
};

/** The old primary becomes a replica, which can be promoted in turn. */
const kills = [...Object.keys(failures), 'primary', 'pooler', 'replica'] as Part[];

test(
  'a cluster goes on when any of its parts is killed, and no post is lost or doubled',
  { timeout: 300_000 },
  async (context) => {
    const missing = findMissingPrograms();
    if (missing.length > 0) skipUnlessCi(context, `${missing.join(', ')}: node bin/install-test-programs.mjs`);
    await using installation = new Installation();
    await using cluster = await Cluster.start({
      folder: installation.folder,
      noticeMs: 100,
      template: await migratedPostgres(),
      settings: { WEB_CLIENT_DIR: 'none' },
    });
    const { token } = await cluster.withApp(async (app) => (await userCreator(app))('alice'));
    for (const part of kills) {
      const allowed = failures[part];
      const seen = await observeFailure(cluster, part, { token });
      const statuses = new Set([...seen.reads.keys(), ...seen.posts.keys()]);
      expect(
        [...statuses].filter((status) => status !== '200' && !allowed.includes(status)),
        part,
      ).toEqual([]);
      expect(seen.stored, part).toBe(seen.acknowledged);
    }
  },
);
