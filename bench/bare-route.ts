import { join } from 'node:path';
import type pg from 'pg';
import { bareCase, floors } from './cases.ts';
import type { MeasuredServer } from './measure.ts';
import type { MeasurementTarget } from './rounds.ts';
import type { BenchmarkUser } from './scene.ts';
import { startProcess } from './start-process.ts';

interface BareRouteOptions {
  /** Connected to the database that the routes read. */
  readonly client: pg.Client;
  /** Whose account and feed they read. */
  readonly reader: BenchmarkUser;
  /** The measured server, which is idle meanwhile: PostgreSQL is its child process. */
  readonly server: MeasuredServer;
}

/** What the cases are compared with. */
export interface BareRoutes {
  readonly floors: readonly MeasurementTarget[];
  /** Like home: a query and 30 KB. */
  readonly page: MeasurementTarget;
  stop(): Promise<void>;
}

/** Starts the routes to compare with. */
export async function startBareRoutes({
  client,
  reader,
  server: { processIds, connections },
}: BareRouteOptions): Promise<BareRoutes> {
  const { host, port: databasePort, user = '', database = user } = client;
  const connection = { host, port: databasePort, user, database };
  const bare = await startProcess(process.execPath, [join(import.meta.dirname, 'bare.ts')], {
    input: JSON.stringify({ connection, accountId: reader.accountId }),
    ready: /^ready at (\S+) and (\S+)/,
  });
  const [framework = '', node = ''] = bare.captured;
  const target = (name: string, path: string, share: number): MeasurementTarget => ({
    benchmarkCase: { name, users: [reader], requests: [{ method: 'GET', path }], targetMs: undefined, share },
    server: {
      origin: path === '/node' ? node : framework,
      processIds: [bare.id, ...processIds],
      connections,
    },
  });
  return {
    // They are so cheap that more of them are needed for as much CPU.
    floors: floors.map(([name, path]) => target(name, path, 4)),
    page: target(bareCase, '/', 1),
    stop: () => bare.stop(),
  };
}
