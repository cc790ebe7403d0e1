// npm run bench -- NAME [OPTIONS]: runs the benchmark of that name; that of requests if the first argument is an option.
const benchmarks: Readonly<Record<string, readonly [file: string, description: string]>> = {
  requests: ['requests.ts', 'CPU and latency of each kind of request; the default'],
  against: ['against/against.ts', 'compare this checkout to a COMMIT; fails if this checkout is slower'],
  beside: ['beside/beside.ts', 'compare to a server of any kind, by its URL and a TOKEN'],
  churn: ['churn/churn.ts', 'size of tables and indexes after a simulated month, against a fresh load'],
  cluster: ['cluster/bench-cluster.ts', 'CPU of each part of a cluster, by the number of processes and replicas'],
  demo: ['demo/main.ts', 'fill an empty server with demo data, to have something to look at'],
  admin: ['admin/admin-lists.ts', 'lists and measures for staff'],
  federation: ['federation/main.ts', 'received activities and deliveries'],
  'fan-out': ['fan-out/fan-out.ts', 'a post to 50,000 remote followers, and what others notice of it'],
  filters: ['filters.ts', 'filters of readers'],
  'ip-blocks': ['ip-blocks.ts', 'IP blocks, for each request'],
  growth: ['growth.ts', 'pages that requests and schedules read, on databases of different size'],
  idle: ['cluster/bench-idle.ts', 'CPU and statements of each part of a cluster that nobody uses'],
  kill: ['ops/kill.ts', 'time until the work of a killed server is complete'],
  'mastodon-import': ['ops/mastodon-import.ts', 'the import of a Mastodon with a million posts'],
  moderation: ['federation/moderation-costs.ts', 'domain blocks and moderation rules, for each remote post'],
  push: ['push.ts', 'a push message'],
  rules: ['rules.ts', 'moderation rules, for each local post'],
  screenshots: ['web/take-screenshots.ts', 'the screenshots of the README and of the web app manifest'],
  search: ['search/search.ts', 'search for accounts and posts'],
  statistics: ['dump-statistics.ts', 'write the statistics of a large database for the tests of plans'],
  simulate: ['simulate/main.ts', 'queues and fan-out of servers of different size, simulated'],
  silence: ['ops/silence.ts', 'time that the server fails after its connections to PostgreSQL fell silent'],
  'slow-peers': ['slow-peers/slow-peers.ts', 'time that healthy hosts wait while others are silent'],
  streaming: ['streaming/streaming.ts', 'streams: CPU, memory and delay'],
  web: ['web/web-client.ts', 'the web client in Chromium'],
  'web-rivals': ['web/web-rivals.ts', 'other web clients beside ours'],
};

const [first = 'requests'] = process.argv.slice(2);
const isOption = first.startsWith('-') && first !== '--help';
const [file] = benchmarks[isOption ? 'requests' : first] ?? [];
if (file === undefined) {
  const lines = Object.entries(benchmarks).map(([name, [, description]]) => `  ${name.padEnd(12)}${description}`);
  process.stderr.write(`Usage: npm run bench -- NAME [OPTIONS]\n\n${lines.join('\n')}\n`);
  process.exit(first === '--help' ? 0 : 1);
}
if (!isOption) process.argv.splice(2, 1);
try {
  await import(`./${file}`);
} catch (error) {
  // Of `parseArgs`: an unknown option, or one without its value.
  if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
