// Measures lists and measures for staff: npm run bench -- admin. Writes a section of docs/benchmarks.md.
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import manifest from '../../package.json' with { type: 'json' };
import type { App } from '../../server/platform/app.ts';
import { standardRoles } from '../../server/users/access/index.ts';
import { buildAdminCases } from './admin-cases.ts';
import { renderAdminSection, type AdminResult, type AdminSizes } from './admin-report.ts';
import { createAdminScene } from './admin-scene.ts';
import { countEverything } from '../count-measures.ts';
import { measureRounds } from '../rounds.ts';
import { userCreator } from '../scene.ts';
import { SeededServer } from '../seeded-server.ts';
import type { StartedProcess } from '../start-process.ts';
import { writeSection } from '../write-section.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '10000' },
    statuses: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    /** Of each kind in a round. */
    requests: { type: 'string', default: '100' },
    port: { type: 'string', default: '3996' },
    /** Measures only the cases whose names contain this text. */
    only: { type: 'string', default: '' },
    /** A folder that is filled with demo data the first time, and kept. Default: a temporary one. */
    data: { type: 'string' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

const connections = 2;
const scopes = ['admin:read', 'admin:write', 'read'];

const seeded = new SeededServer({ name: 'admin', dataDir: values.data, ...values });
try {
  const { results, sizes } = await seeded.run(manifest.scripts.start, measureLists);
  writeSection(renderAdminSection(results, sizes), values);
} finally {
  seeded.close();
}
process.exit(0);

async function measureLists(
  app: App,
  server: StartedProcess,
): Promise<{ readonly results: AdminResult[]; readonly sizes: AdminSizes }> {
  const create = await userCreator(app, { scopes, roleId: standardRoles.owner });
  const user = await create(`owner${Date.now().toString(36)}`);
  const scene = await createAdminScene(app);
  await countEverything(app);
  const cases = buildAdminCases(scene).filter(({ name }) => name.includes(values.only));
  const rounds = await measureRounds(
    app,
    cases.map(({ name, request }) => ({
      server: { origin: seeded.origin, processIds: [server.id], connections },
      benchmarkCase: { name, requests: [request], users: [user], share: 1, targetMs: undefined },
    })),
    { rounds: Number(values.rounds), requests: Number(values.requests) },
  );
  const { rows } = await sql<AdminSizes>`
    select (select count(*)::int from accounts) as accounts, (select count(*)::int from statuses) as statuses,
      (select count(*)::int from reports) as reports, (select count(*)::int from audit_log) as entries`.execute(app.db);
  const [sizes] = rows;
  if (sizes === undefined) throw new Error('the sizes are unknown');
  return { results: cases.map(({ name }, place) => ({ name, rounds: rounds[place] ?? [] })), sizes };
}
