import type { App } from '../../platform/app.ts';
import { findMissingSettings } from '../../platform/database/role-settings.ts';
import { toError } from '../../platform/errors.ts';
import type { Replica } from '../../platform/replicas/replica.ts';
import { defaultMaxLagMs } from '../../platform/replicas/replicas.ts';
import { leadsToPrimary, openReplicas } from '../open/open-replicas.ts';
import type { Finding } from './finding.ts';

const subject = 'replicas';

/** Checks that each replica of the settings answers, and how far it is behind. One of them may be the primary now. */
export async function checkReplicas(app: Pick<App, 'config' | 'pool' | 'directConnection'>): Promise<Finding[]> {
  const { config, pool, directConnection } = app;
  const silent = { warn: () => {}, info: () => {} };
  const replicas = openReplicas(config, pool, silent);
  if (replicas === undefined) return [];
  const check = async (replica: Replica, url = ''): Promise<Finding> => {
    const mayBePrimary = directConnection.servers !== undefined;
    const isPrimary = mayBePrimary && (await leadsToPrimary(url, directConnection).catch(() => false));
    if (!isPrimary) return checkReplica(replica, config.DATABASE_DIRECT_URL);
    const detail = `${replica.name} is the primary now, and is not used as a replica`;
    return { subject, state: 'ok', detail };
  };
  try {
    return await Promise.all(replicas.all.map((replica, at) => check(replica, config.DATABASE_REPLICA_URLS?.[at])));
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
