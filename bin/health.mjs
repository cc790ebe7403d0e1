// The health check of a container: node bin/health.mjs ROLE. Asks the process of a role on this machine, by what it serves: web
// whether it can serve, streaming whether it streams, worker whether the database answers it. Without ROLE, the first of these
// that the process of the container has. Prints what is wrong, and exits with 1 then.
import { readFileSync } from 'node:fs';

const { PORT = '3000', METRICS_PORT } = process.env;
const paths = {
  web: [PORT, '/health/ready'],
  streaming: [PORT, '/api/v1/streaming/health'],
  worker: [METRICS_PORT, '/health/ready'],
};
const timeoutMs = 5_000;

const [role = roleOfContainer()] = process.argv.slice(2);
const problem = await findProblem(role).catch(({ message, cause }) => cause?.message ?? message);
if (problem !== undefined) {
  console.error(`${role}: ${problem}`);
  process.exit(1);
}

/** Process 1 of a container is the server, with its arguments, or an init program that has them, too. */
function roleOfContainer() {
  const [, list = 'web'] = /\0--roles[=\0]([^\0]*)/.exec(readFileSync('/proc/1/cmdline', 'utf8')) ?? [];
  const roles = list.split(',').map((name) => name.trim());
  return Object.keys(paths).find((name) => roles.includes(name)) ?? list;
}

async function findProblem(name) {
  if (!Object.hasOwn(paths, name)) return `no such role; there are ${Object.keys(paths).join(', ')}`;
  const [port, path] = paths[name];
  if (port === undefined) return 'set METRICS_PORT: a worker serves nothing else';
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(timeoutMs) });
  return response.ok ? undefined : `${path} answered ${response.status}`;
}
