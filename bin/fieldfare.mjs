#!/usr/bin/env node
// The command line; npm run cli -- … runs it too.
import { ensureInstalled, runProgram } from './bootstrap.mjs';

await ensureInstalled();
await runProgram(process.argv.slice(2));
