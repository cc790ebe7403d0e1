import { join } from 'node:path';
import type pg from 'pg';
import { bareCase } from './cases.ts';
import type { MeasuredServer } from './measure.ts';
import type { MeasurementTarget } from './rounds.ts';
import type { BenchmarkUser } from './scene.ts';
import { startProcess } from './start-process.ts';

interface BareRouteOptions {
  /** Connected to the database that the route reads. */
  readonly client: pg.Client;
  /** Whose feed it reads. */
  readonly reader: BenchmarkUser;
  /** The measured server, which is idle meanwhile: PostgreSQL is its child process. */
  readonly server: MeasuredServer;
}

/** Starts the route to compare with. */
export async function startBareRoute({
  client,
  reader,
  server: { processIds, connections },
}: BareRouteOptions): Promise<{ target: MeasurementTarget; stop: () => Promise<void> }> {
  const { host, port: databasePort, user = '', database = user } = client;
  const connection = { host, port: databasePort, user, database };
  const bare = await startProcess(process.execPath, [join(import.meta.dirname, 'bare.ts')], {
    input: JSON.stringify({ connection, accountId: reader.accountId }),
    ready: /^ready at (.+)/,
  });
  const benchmarkCase = {
    name: bareCase,
    users: [reader],
    requests: [{ method: 'GET', path: '/' }],
    targetMs: undefined,
    competitor: '',
    share: 1,
  } as const;
  const server = { origin: bare.captured[0] ?? '', processIds: [bare.id, ...processIds], connections };
  return { target: { benchmarkCase, server }, stop: () => bare.stop() };
}
