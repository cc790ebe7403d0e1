// Measures what domain blocks cost received activities: npm run bench:severities. Writes a section of docs/benchmarks.md.
import { sql } from 'kysely';
import type { App } from '../../server/platform/app.ts';
import { transaction } from '../../server/platform/database/transaction.ts';
import { blockDomain, unblockDomain } from '../../server/site/domains/index.ts';
import manifest from '../../package.json' with { type: 'json' };
import { countLargeDatabase } from '../count-measures.ts';
import { SeededServer } from '../seeded-server.ts';
import { describeRun, writeSection } from '../write-section.ts';
import { inboxCases, measureInbox, type InboxResult } from './inbox-cases.ts';
import { measureByTurns } from './measure-rounds.ts';
import { Network } from './network.ts';
import { options } from './options.ts';
import { networkDomain } from './peers.ts';
import { createScene } from './scene.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

const blockCount = 1_000;
const warmUpCount = 200;
const maxRatio = 1.05;
const comment = 'benchmark';
/** Its block and unblock make servers load the blocks again. */
const evictingDomain = 'evict.bench.test';

const { size, connections } = options;
const cases = [0, blockCount].map((blocks) => ({ name: `${blocks.toLocaleString('en')} domain blocks`, blocks }));
const network = new Network(options.networkPort);
try {
  await network.start(options);
  const { NODE_OPTIONS = '', ...env } = network.env;
  const command = `export NODE_OPTIONS='${NODE_OPTIONS}'; ${manifest.scripts.start}`;
  const seeded = new SeededServer({ name: 'severities', dataDir: options.data, ...options, env });
  try {
    const results = await seeded.run(command, async (app, { id: server }) => {
      const scene = await createScene(app, { network, origin: seeded.origin, size });
      await countLargeDatabase(app);
      await sql`vacuum analyze`.execute(app.db);
      const [inboxCase] = inboxCases;
      if (inboxCase === undefined) throw new Error('there is no case');
      const measured = await measureByTurns(
        cases.map((item) => ({
          item,
          run: async () => {
            await setBlocks(app, item.blocks);
            // The jobs of the change and the caches that it evicted are not measured.
            await measureInbox(scene, { server, connections }, { inboxCase, count: warmUpCount });
            return measureInbox(scene, { server, connections }, { inboxCase, count: options.activities });
          },
        })),
      );
      await setBlocks(app, 0);
      return measured;
    });
    writeSection(renderSection(results), options);
  } finally {
    seeded.close();
  }
} finally {
  await network.stop();
}
process.exit(0);

/** Replaces the blocks of an earlier round: all severities by thirds, and one of the senders that limits nothing. */
async function setBlocks(app: App, count: number): Promise<void> {
  await transaction(app, async ({ db }) => {
    await db.deleteFrom('domain_blocks').where('private_comment', '=', comment).execute();
    await sql`
      insert into domain_blocks (id, domain, severity, reject_media, reject_reports, private_comment, created_at)
      select n, case n when 3 then ${networkDomain} else 'blocked' || n || '.bench.test' end,
        (array['noop', 'silence', 'suspend'])[1 + n % 3], n % 2 = 0, n % 4 = 0 and n <> 3, ${comment}, now()
      from generate_series(1, ${count}::int) n`.execute(db);
  });
  await blockDomain(app, 'system', { domain: evictingDomain, severity: 'noop' });
  await unblockDomain(app, 'system', evictingDomain);
  await waitUntilIdle(app);
}

function renderSection(
  results: readonly { readonly item: { readonly name: string }; readonly rounds: readonly InboxResult[] }[],
): string {
  const costs = results.map(({ rounds }) => rounds.map(({ nodeMs, postgresMs }) => nodeMs + postgresMs));
  const [without = [], withBlocks = []] = costs;
  const ratios = withBlocks.map((cost, round) => cost / (without[round] ?? Number.NaN));
  const format = (value: number): string => `${value.toFixed(2)} ms`;
  return [
    '## Domain blocks',
    '',
    `CPU of a received Create of a followed author, from the request to its last job, with ${blockCount.toLocaleString('en')} domain`,
    'blocks of all severities (one is of its host, and limits nothing) and without. Both by turns on one server.',
    '',
    ...describeRun(`npm run bench:severities -- --rounds ${options.rounds} --activities ${options.activities}`),
    `- Times as much with blocks: ${medianOf(ratios).toFixed(2)}, the median of ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} (aim: ${maxRatio})`,
    '',
    '| received with | CPU | range |',
    '|---|---|---|',
    ...results.map(({ item }, place) => {
      const own = costs[place] ?? [];
      return `| ${item.name} | ${format(medianOf(own))} | ${Math.min(...own).toFixed(2)}–${format(Math.max(...own))} |`;
    }),
    '',
  ].join('\n');
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}
