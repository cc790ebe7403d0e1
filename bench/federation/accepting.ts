import { sql } from 'kysely';
import { transaction } from '../../server/platform/write/transaction.ts';
import type { App } from '../../server/platform/app.ts';
import type { LoadResult } from '../load.ts';
import { sendLoad } from '../send-load.ts';
import type { SharedDatabase } from '../shared-database.ts';
import { inboxCases, signNotes, type InboxCase } from './inbox-cases.ts';
import type { FederationScene } from './scene.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

/** Which processes run while activities are accepted. */
export interface RolesCase {
  readonly name: string;
  /** Roles of the process that accepts activities, and of the other one. */
  readonly roles: readonly [string, ...string[]];
}

export const rolesCases: readonly RolesCase[] = [
  { name: 'only `--roles web`', roles: ['web'] },
  { name: '`--roles web` and `--roles worker`', roles: ['web', 'worker'] },
  { name: 'one process', roles: ['web,streaming,worker'] },
];

/** What a round showed. */
export interface RolesResult {
  readonly acceptedPerSecond: number;
  /** Milliseconds until an activity was accepted. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** While activities were accepted. */
  readonly processedPerSecond: number;
  /** Activities that still waited after the last was accepted. */
  readonly left: number;
}

export interface RolesPlan {
  /** Shell command that starts a server. */
  readonly command: string;
  /** Activities that wait before the measurement. */
  readonly waiting: number;
  /** Activities that are accepted in it. */
  readonly accepted: number;
  readonly connections: number;
}

/** Fills the queue of the inbox, starts the processes and sends further activities meanwhile. */
export async function measureAccepting(
  database: SharedDatabase,
  scene: FederationScene,
  { rolesCase: { roles }, plan }: { readonly rolesCase: RolesCase; readonly plan: RolesPlan },
): Promise<RolesResult> {
  const [inboxCase] = inboxCases as [InboxCase];
  const [waiting, further] = [
    await signNotes(scene, inboxCase, plan.waiting),
    await signNotes(scene, inboxCase, plan.accepted),
  ];
  const send = async ({ requests }: typeof waiting): Promise<LoadResult> => {
    const { connections } = plan;
    const how = { origin: scene.origin, requests, count: requests.length, tokens: [], connections, seconds: 600 };
    const result = await sendLoad(how);
    if (result.failures > 0) throw new Error(`${result.failures} activities were not accepted`);
    return result;
  };
  await database.run(`${plan.command} --roles web`, () => send(waiting));
  const processes = [];
  try {
    for (const role of roles) processes.push(await database.start(`${plan.command} --roles ${role}`));
    const before = await countWaiting(scene.app);
    const { startedAt, seconds, p50Ms, p95Ms } = await send(further);
    const left = await countWaiting(scene.app);
    const elapsedSeconds = (Date.now() - startedAt) / 1_000;
    return {
      acceptedPerSecond: plan.accepted / seconds,
      p50Ms,
      p95Ms,
      processedPerSecond: (before + plan.accepted - left) / elapsedSeconds,
      left,
    };
  } finally {
    for (const { stop } of processes) await stop();
    await transaction(scene.app, ({ db }) => sql`delete from inbox_activities`.execute(db));
  }
}

/** Runs the jobs that the last round left. */
export const finishJobs = (database: SharedDatabase, { app }: FederationScene, command: string): Promise<void> =>
  database.run(`${command} --roles worker`, () => waitUntilIdle(app));

async function countWaiting(app: App): Promise<number> {
  const { rows } = await sql<{ benchmark: number }>`
    select count(*)::int as benchmark from inbox_activities where exhausted_at is null`.execute(app.db);
  return rows[0]?.benchmark ?? 0;
}
