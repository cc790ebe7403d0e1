// The health check of a container: node bin/health.mjs ROLE. Asks the process of a role on this machine, by what it serves: web
// whether it can serve, streaming whether it streams, worker for its metrics. Prints what is wrong, and exits with 1 then.
const { PORT = '3000', METRICS_PORT } = process.env;
const paths = {
  web: [PORT, '/health/ready'],
  streaming: [PORT, '/api/v1/streaming/health'],
  worker: [METRICS_PORT, '/metrics'],
};
const timeoutMs = 5_000;

const [role = 'web'] = process.argv.slice(2);
const problem = await findProblem(role).catch(({ message, cause }) => cause?.message ?? message);
if (problem !== undefined) {
  console.error(`${role}: ${problem}`);
  process.exit(1);
}

async function findProblem(name) {
  if (!Object.hasOwn(paths, name)) return `no such role; there are ${Object.keys(paths).join(', ')}`;
  const [port, path] = paths[name];
  if (port === undefined) return 'set METRICS_PORT: a worker serves nothing else';
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(timeoutMs) });
  return response.ok ? undefined : `${path} answered ${response.status}`;
}
