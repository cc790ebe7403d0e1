// npm start: installs what is missing and starts the server.
import { ensureInstalled, runTypeScript } from './bootstrap.mjs';

await ensureInstalled();
await runTypeScript('server/main.ts', ['serve', ...process.argv.slice(2)]);
