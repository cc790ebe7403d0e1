import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const [jobs, federation] = ['/api/v1/fieldfare/admin/jobs', '/api/v1/fieldfare/admin/federation'];

/** Stores a job that failed for the last time. Returns its path. */
async function failedJob({ pool }: TestServer): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into jobs (queue, name, data, attempts, run_at, last_error, exhausted_at)
     values ('background', 'media.delete_files', '{"keys": []}', 16, now(), 'Error: disk', now()) returning id`,
  );
  return `${jobs}/${rows[0]?.id}`;
}

/** Stores a server to which deliveries fail. Returns its path. */
async function failingHost({ pool }: TestServer): Promise<string> {
  await pool.query(
    `insert into hosts (domain, failures, failing_since, last_failure_at) values ('far.test', 5, now(), now())`,
  );
  return `${federation}/hosts/far.test`;
}

export const operationScenarios: StaffScenarios = {
  'GET /api/v1/fieldfare/admin/counts': async () => ({ path: '/api/v1/fieldfare/admin/counts' }),
  [`GET ${jobs}`]: async () => ({ path: jobs }),
  [`GET ${jobs}/counts`]: async () => ({ path: `${jobs}/counts` }),
  [`POST ${jobs}/retry`]: async (server) => {
    await failedJob(server);
    return { path: `${jobs}/retry`, body: { state: 'exhausted' } };
  },
  [`POST ${jobs}/:id/retry`]: async (server) => ({ path: `${await failedJob(server)}/retry` }),
  [`DELETE ${jobs}/:id`]: async (server) => ({ path: await failedJob(server) }),
  [`GET ${federation}/queues`]: async () => ({ path: `${federation}/queues` }),
  [`GET ${federation}/hosts`]: async () => ({ path: `${federation}/hosts` }),
  [`GET ${federation}/hosts/:domain`]: async (server) => ({ path: await failingHost(server) }),
  [`POST ${federation}/hosts/:domain/retry`]: async (server) => ({ path: `${await failingHost(server)}/retry` }),
  [`POST ${federation}/hosts/:domain/pause`]: async (server) => ({ path: `${await failingHost(server)}/pause` }),
  [`POST ${federation}/hosts/:domain/resume`]: async (server) => {
    const path = await failingHost(server);
    await server.pool.query(`update hosts set paused_at = now() where domain = 'far.test'`);
    return { path: `${path}/resume` };
  },
  [`DELETE ${federation}/hosts/:domain/queue`]: async (server) => ({ path: `${await failingHost(server)}/queue` }),
};
