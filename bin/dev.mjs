// npm run dev: starts the server and the client. The server restarts after changes below server/ and locales/, and pages reload
// after changes below web/. --inspect lets a debugger attach to the server.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ensureInstalled, root, runNode } from './bootstrap.mjs';

const args = process.argv.slice(2);
const isNodeFlag = (arg) => arg.startsWith('--inspect');

await ensureInstalled({ tools: true });
await runNode([join(root, 'bin/texts.mjs')]);
const settings = { ...readEnvFile(), ...process.env };
const portAt = args.indexOf('--port') === -1 ? -2 : args.indexOf('--port');
const port = Number(args[portAt + 1] ?? settings.PORT ?? 3000);
// People open the address of the client's development server, which passes everything else on.
const serverPort = await findFreePort();
const client = runNode([join(root, 'bin/dev-web.mjs')], {
  // Its end tells the client that this process ended.
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  env: { DEV_HOST: settings.HOST ?? '127.0.0.1', DEV_PORT: String(port), DEV_SERVER_PORT: String(serverPort) },
});
void client.then((code) => {
  if (code !== 0) process.kill(process.pid, 'SIGTERM');
});
const server = runNode(
  [
    ...args.filter(isNodeFlag),
    `--watch-path=${join(root, 'server')}`,
    `--watch-path=${join(root, 'locales')}`,
    '--watch-preserve-output',
    join(root, 'server/main.ts'),
    'serve',
    ...args.filter((arg, index) => !isNodeFlag(arg) && index !== portAt && index !== portAt + 1),
  ],
  { env: { PORT: String(serverPort), BASE_URL: settings.BASE_URL ?? `http://localhost:${port}` } },
);
process.exit(await server);

function readEnvFile() {
  const file = join(root, '.env');
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

function findFreePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}
