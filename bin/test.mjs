// npm test: installs missing packages and runs the tests. Takes the arguments of vitest.
// Without arguments, files of tests in a browser that failed get a second attempt, in a run of their own.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root, runNode } from './bootstrap.mjs';
import { isMissing, testPrograms } from './test-programs.mjs';

const startedAt = Date.now();
const args = moveUpdateToEnd(process.argv.slice(2));
const browserTests = 'test/web/';

await ensureInstalled({ tools: true });
const needed = args.length === 0 ? testPrograms.filter(({ isOptional }) => !isOptional) : [];
const missing = needed.filter(isMissing).map((program) => program.package);
if (missing.length > 0)
  console.log(`Skips the tests that need ${missing.join(', ')}: \`node bin/install-test-programs.mjs\` installs them`);
// Once, rather than in each worker. Tests without a browser do not need it.
if (args.length === 0 || args.some((arg) => arg.includes('test/web')))
  await runNode([join(root, 'bin/build-web.mjs')], { cwd: root });
const folder = mkdtempSync(join(tmpdir(), 'ff-failures-'));
const failuresFile = join(folder, 'failures.json');
let code = await runTests(args);
const failures = readFailures();
if (code !== 0 && args.length === 0 && failures.length > 0 && failures.every((file) => file.startsWith(browserTests))) {
  console.log(`Running ${failures.join(', ')} once more: a browser depends on the machine`);
  code = await runTests(failures);
}
rmSync(folder, { recursive: true, force: true });
process.exit(code);

/** Returns the arguments with `-u` last: vitest takes what follows it for its value, and would run all files. */
function moveUpdateToEnd(words) {
  const isUpdate = (word) => word === '-u' || word === '--update';
  return [...words.filter((word) => !isUpdate(word)), ...words.filter(isUpdate)];
}

function runTests(files) {
  const env = { TEST_FAILURES: failuresFile, TEST_STARTED_AT: String(startedAt) };
  return runNode([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files], { cwd: root, env });
}

/** Returns what failed, as the reporter stored it: files, and words for other failures. */
function readFailures() {
  try {
    return JSON.parse(readFileSync(failuresFile, 'utf8'));
  } catch {
    return [];
  }
}
