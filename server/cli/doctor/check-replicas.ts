import type { App } from '../../platform/app.ts';
import { findMissingSettings } from '../../platform/database/role-settings.ts';
import { toError } from '../../platform/errors.ts';
import type { Replica } from '../../platform/replicas/replica.ts';
import { defaultMaxLagMs } from '../../platform/replicas/replicas.ts';
import { openReplicas } from '../open/open-replicas.ts';
import type { Finding } from './finding.ts';

const subject = 'replicas';

/** Checks that each replica of the settings answers, and how far it is behind. */
export async function checkReplicas({ config, pool }: App): Promise<Finding[]> {
  const silent = { warn: () => {}, info: () => {} };
  const replicas = openReplicas(config, pool, silent);
  if (replicas === undefined) return [];
  try {
    return await Promise.all(replicas.all.map((replica) => checkReplica(replica, config.DATABASE_DIRECT_URL)));
  } finally {
    await replicas.close();
  }
}

async function checkReplica(replica: Replica, directUrl: string | undefined): Promise<Finding> {
  const { name } = replica;
  try {
    const lagMs = await replica.measureLag();
    const missing = directUrl === undefined || lagMs > 0 ? [] : await findMissingSettings(replica.pool);
    if (missing.length > 0)
      return {
        subject,
        state: 'fail',
        detail: `a session of the pooler of ${name} has not the settings of servers: ${missing.join(', ')}`,
        fix: 'Let the pooler open its connections again (RECONNECT in the console of PgBouncer).',
      };
    if (lagMs === 0) return { subject, state: 'ok', detail: `${name} has caught up with the primary` };
    const detail = `${name} is ${(lagMs / 1_000).toFixed(1)} s behind the primary`;
    if (lagMs <= defaultMaxLagMs) return { subject, state: 'ok', detail };
    return { subject, state: 'warn', detail: `${detail}, and so is not used`, fix: 'Look at its log and its disk.' };
  } catch (error) {
    const fix = 'Start it, or remove it from DATABASE_REPLICA_URLS. Meanwhile the primary answers its reads.';
    return { subject, state: 'fail', detail: `${name} cannot be used: ${toError(error).message}`, fix };
  }
}
