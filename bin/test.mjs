// npm test: installs missing packages and runs the tests. Takes the arguments of vitest.
// Without arguments, a few files that failed get a second attempt, in a run of their own: a test fails if it passes in neither.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root, runNode } from './bootstrap.mjs';
import { combineAttempts, describeAttempts, filesToRepeat, formatResult, hasFailed } from './test-outcomes.mjs';
import { isMissing, testPrograms } from './test-programs.mjs';

const startedAt = Date.now();
const args = moveUpdateToEnd(process.argv.slice(2));

await ensureInstalled({ tools: true });
const needed = args.length === 0 ? testPrograms.filter(({ isOptional }) => !isOptional) : [];
const missing = needed.filter(isMissing).map((program) => program.package);
if (missing.length > 0)
  console.log(`Skips the tests that need ${missing.join(', ')}: \`node bin/install-test-programs.mjs\` installs them`);
// Once, rather than in each worker. Tests without a browser do not need it.
if (args.length === 0 || args.some((arg) => arg.includes('test/web')))
  await runNode([join(root, 'bin/build-web.mjs')], { cwd: root });
const folder = mkdtempSync(join(tmpdir(), 'ff-outcomes-'));
const first = await runTests(args, join(folder, 'first.json'));
let { code } = first;
const files = code !== 0 && args.length === 0 && first.attempt !== undefined ? filesToRepeat(first.attempt) : [];
if (files.length > 0) {
  console.log(`Running ${files.join(', ')} once more`);
  const second = await runTests(files, join(folder, 'second.json'));
  code = second.code;
  if (second.attempt !== undefined) {
    const combined = combineAttempts(first.attempt, second.attempt);
    code = hasFailed(combined) ? 1 : 0;
    console.log([...describeAttempts(first.attempt, second.attempt), formatResult(combined)].join('\n'));
  }
}
rmSync(folder, { recursive: true, force: true });
process.exit(code);

/** Returns the arguments with `-u` last: vitest takes what follows it for its value, and would run all files. */
function moveUpdateToEnd(words) {
  const isUpdate = (word) => word === '-u' || word === '--update';
  return [...words.filter((word) => !isUpdate(word)), ...words.filter(isUpdate)];
}

/** Runs vitest. Returns its exit code, and the outcomes that the reporter stored in a file; undefined if it did not. */
async function runTests(names, outcomesFile) {
  const env = { TEST_OUTCOMES: outcomesFile, TEST_STARTED_AT: String(startedAt) };
  const code = await runNode([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...names], { cwd: root, env });
  return { code, attempt: existsSync(outcomesFile) ? JSON.parse(readFileSync(outcomesFile, 'utf8')) : undefined };
}
