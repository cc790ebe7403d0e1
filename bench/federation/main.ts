// Measures federation: npm run bench -- federation. Writes a section of docs/benchmarks.md.
import { sql } from 'kysely';
import type { App } from '../../server/platform/app.ts';
import manifest from '../../package.json' with { type: 'json' };
import { countLargeDatabase } from '../count-measures.ts';
import { measureBareInsert } from '../raw-limits.ts';
import { SeededServer } from '../seeded-server.ts';
import { SharedDatabase } from '../shared-database.ts';
import { writeSection } from '../write-section.ts';
import { finishJobs, measureAccepting, rolesCases } from './accepting.ts';
import { deliveryCases, measureDelivery } from './delivery-cases.ts';
import { inboxCases, measureInbox } from './inbox-cases.ts';
import { measureByTurns, measureWithStatements } from './measure-rounds.ts';
import { Network } from './network.ts';
import { describeCommand, isSelected, options } from './options.ts';
import { measureFederationLimits } from './raw-limits.ts';
import { renderSection, type FederationResults } from './report.ts';
import { createScene } from './scene.ts';
import { disableCounting, installStatementCounter, removeStatementCounter } from '../statements.ts';

const { size, connections } = options;
const selectedRoles = rolesCases.filter((item) => isSelected('accepting', item));
const network = new Network(options.networkPort);
try {
  await network.start(options);
  const { NODE_OPTIONS = '', ...env } = network.env;
  const profiling = options.profile === undefined ? '' : ` --cpu-prof --cpu-prof-dir=${options.profile}`;
  const command = `export NODE_OPTIONS='${NODE_OPTIONS}${profiling}'; ${manifest.scripts.start}`;
  const seeded = new SeededServer({ name: 'federation', dataDir: options.data, ...options, env });
  try {
    await seeded.connect(installStatementCounter);
    const costs = await measureCosts(seeded, command);
    const roles = selectedRoles.length === 0 ? [] : await measureRoles(seeded, command);
    await seeded.connect(removeStatementCounter);
    const section = renderSection({ command: describeCommand(), size, waiting: options.waiting, ...costs, roles });
    writeSection(section, { print: options.print || options.only !== undefined });
  } finally {
    seeded.close();
  }
} finally {
  await network.stop();
}
process.exit(0);

/** Measures received activities and deliveries on one process. */
function measureCosts(seeded: SeededServer, command: string) {
  return seeded.run(command, (app, { id: server }) =>
    seeded.connect(async (client) => {
      await disableCounting(client);
      const scene = await createScene(app, { network, origin: seeded.origin, size });
      const statuses = await countStatuses(app);
      await countLargeDatabase(app);
      await sql`vacuum analyze`.execute(app.db);
      const limits = {
        ...(await measureFederationLimits(network, options.activities)),
        insertMs: await measureBareInsert(client, { server, requests: options.activities }),
      };
      const inbox = inboxCases.map((inboxCase) => {
        const count = Math.ceil(options.activities * inboxCase.share);
        const run = () => measureInbox(scene, { server, connections }, { inboxCase, count });
        return { item: inboxCase, times: count, run };
      });
      const { posts } = options;
      const delivery = deliveryCases.map((deliveryCase) => ({
        item: deliveryCase,
        times: posts * size.followers,
        run: () => measureDelivery(scene, server, { deliveryCase, posts }),
      }));
      return {
        statuses,
        limits,
        inbox: await measureWithStatements(
          client,
          inbox.filter(({ item }) => isSelected('inbox', item)),
        ),
        delivery: await measureWithStatements(
          client,
          delivery.filter(({ item }) => isSelected('delivery', item)),
        ),
      };
    }),
  );
}

/** Measures how accepting and processing share one process or two. */
function measureRoles(seeded: SeededServer, command: string): Promise<FederationResults['roles']> {
  return SharedDatabase.open(seeded.env, (database) =>
    database.openApp(async (app) => {
      const sceneSize = { ...size, followers: 0 };
      const { origin } = seeded;
      const scene = await database.run(command, () => createScene(app, { network, origin, size: sceneSize }));
      const plan = { command, waiting: options.waiting, accepted: options.activities, connections };
      return measureByTurns(
        selectedRoles.map((rolesCase) => ({
          item: rolesCase,
          run: async () => {
            const result = await measureAccepting(database, scene, { rolesCase, plan });
            await finishJobs(database, scene, command);
            return result;
          },
        })),
        { warmsUp: false },
      );
    }),
  );
}

async function countStatuses(app: App): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from statuses`.execute(app.db);
  return rows[0]?.count ?? 0;
}
