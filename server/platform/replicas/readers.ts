import { perApp, rootApp, type App } from '../app.ts';
import { readDatabase } from '../database/read-database.ts';
import type { Replica } from './replica.ts';

/** The App on each replica. */
const readers = perApp((app) => {
  const all = app.replicas?.all ?? [];
  return new Map(all.map((replica) => [replica, createReader(app, replica)]));
});

function createReader(root: App, replica: Replica): App {
  const { pool } = replica;
  return { ...root, root, replica, pool, db: readDatabase(pool, () => (root.queries.count += 1)) };
}

/** Returns the App on the primary, or on the same replica, without anything else that it was derived for. */
const databaseApp = (app: App): App =>
  (app.replica === undefined ? undefined : readers(app).get(app.replica)) ?? rootApp(app);

/** As `perApp`, but with an object for each database: the primary, and each replica. */
export function perDatabase<Thing>(create: (app: App) => Thing): (app: App) => Thing {
  const instances = new WeakMap<App, Thing>();
  return (given) => {
    const app = databaseApp(given);
    let instance = instances.get(app);
    if (instance === undefined) {
      instance = create(app);
      instances.set(app, instance);
    }
    return instance;
  };
}

interface ReplicaRead<Result> {
  readonly replica: Replica;
  readonly run: (app: App) => Promise<Result>;
  /** Whether a result that looks like an error is to be read from the primary. */
  readonly isDoubtful?: (result: Result) => boolean;
  /** Whether an error is an answer, such as 404. Then the replica is not to blame. */
  readonly isAnswer?: (error: unknown) => boolean;
}

/** Runs a read on a replica. If it fails there, runs it on the primary, and leaves the replica out if that succeeds. */
export async function readOnReplica<Result>(
  app: App,
  { replica, run, isDoubtful = () => false, isAnswer = () => false }: ReplicaRead<Result>,
): Promise<Result> {
  const reader = readers(app).get(replica);
  if (reader === undefined) return run(rootApp(app));
  let failure: unknown;
  try {
    const result = await run(reader);
    if (!isDoubtful(result)) return result;
  } catch (error) {
    if (!isAnswer(error)) failure = error;
  }
  const result = await run(rootApp(app));
  if (failure !== undefined) replica.leaveOut(failure);
  return result;
}
