// npm run check: format, lint, types, dead code and architecture. Runs all checks, even if one fails. Lists missing translations.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, findNode, root } from './bootstrap.mjs';

const tool = (name) => [findNode(), join(root, 'node_modules', '.bin', name)];
// Remembers what it found, so that it checks again only what a change affects.
const typesOf = (project) => [
  ...tool('tsc'),
  '--noEmit',
  '-p',
  project,
  '--incremental',
  '--tsBuildInfoFile',
  join(root, 'node_modules', '.cache', 'types', project.replaceAll('/', '-')),
];
// The tests that need no database, in one worker that parses each file once.
const architecture = 'test/architecture/vitest.config.ts';

await ensureInstalled({ tools: true });
const texts = await run([findNode(), join(root, 'bin/texts.mjs')]);
process.stdout.write(texts.output);
if (texts.code !== 0) process.exit(1);
const checks = [
  ['types', typesOf('tsconfig.json')],
  ['types of the web client', typesOf('web/tsconfig.json')],
  ['types of its tests', typesOf('test/web/tsconfig.json')],
  ['lint', [...tool('oxlint'), '--type-aware', '--deny-warnings']],
  ['dead code', [...tool('knip')]],
  ...(existsSync(join(root, architecture))
    ? [['architecture', [...tool('vitest'), 'run', '--config', architecture, '--root', root]]]
    : []),
  ['format', [...tool('oxfmt'), '--check']],
];

const startedAt = Date.now();
let failed = 0;
const queue = [...checks];
await Promise.all([runNext(), runNext()]);
console.log(`${checks.length - failed} of ${checks.length} checks passed in ${elapsed(startedAt)}`);
process.exit(failed === 0 ? 0 : 1);

async function runNext() {
  for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
    const [name, command] = check;
    const start = Date.now();
    const { code, output } = await run(command);
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${elapsed(start)})`);
    if (code === 0) continue;
    failed += 1;
    console.log(output.trim().replaceAll(/^/gm, '     '));
  }
}

function run([command, ...args]) {
  return new Promise((resolve) => {
    const chunks = [];
    const child = spawn(command, args, { cwd: root, env: { ...process.env, FORCE_COLOR: '0' } });
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('exit', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

function elapsed(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
