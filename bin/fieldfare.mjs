#!/usr/bin/env node
// The command line; npm run cli -- … runs it too.
import { ensureInstalled, runTypeScript } from './bootstrap.mjs';

await ensureInstalled();
await runTypeScript('server/main.ts', process.argv.slice(2));
