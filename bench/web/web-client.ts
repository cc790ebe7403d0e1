// Measures the web client in Chromium: npm run bench:web. Writes a section of docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import manifest from '../../package.json' with { type: 'json' };
import { ensureWebClient } from '../../bin/build-web.mjs';
import type { App } from '../../server/platform/app.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import { followAccount } from '../../server/relationships/follow/index.ts';
import { findChromium, noChromium } from '../../test/clients/chromium.ts';
import { listBusiestAccounts, waitForJobs } from '../scene.ts';
import { SeededServer } from '../seeded-server.ts';
import { writeSection } from '../write-section.ts';
import { measureFavourite, measureScrolling, measureVisits, signInAndStore } from './measure-client.ts';
import { measureHomeFiles, renderSection } from './web-report.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '200' },
    statuses: { type: 'string', default: '6000' },
    /** First and second visits. The report has their median. */
    rounds: { type: 'string', default: '7' },
    /** Posts that are scrolled through. */
    posts: { type: 'string', default: '2000' },
    port: { type: 'string', default: '3989' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

const executablePath = requireChromium();
if (!(await ensureWebClient())) throw new Error('the web client could not be built');

const reader = { email: 'reader@mail.example', password: 'correct horse battery' };
const seeded = new SeededServer({ name: 'web', ...values });
const origin = `http://localhost:${values.port}`;
try {
  const accountId = createReader();
  const result = await seeded.run(manifest.scripts.start, async (app) => {
    await fillHome(app, accountId);
    return measure();
  });
  writeSection(renderSection({ ...result, files: measureHomeFiles(), posts: Number(values.posts) }), values);
} finally {
  seeded.close();
}
process.exit(0);

function requireChromium(): string {
  const program = findChromium();
  if (program === undefined) throw new Error(noChromium);
  return program;
}

async function measure() {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const target = { browser, origin, storage: await signInAndStore(browser, origin, reader) };
    return {
      visits: await measureVisits(target, Number(values.rounds)),
      scrolling: await measureScrolling(target, Number(values.posts)),
      favouriteFrames: await measureFavourite(target),
    };
  } finally {
    await browser.close();
  }
}

function createReader(): AccountId {
  const names = ['account', 'create', 'reader', '--email', reader.email, '--password', reader.password];
  const args = ['bin/fieldfare.mjs', ...names, '--confirmed', '--approved', '--scopes', 'read', '--json'];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...seeded.env },
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`no account: ${stderr}`);
  return (JSON.parse(stdout) as { id: AccountId }).id;
}

/** Follows everyone who posts, so that home has all their posts. */
async function fillHome(app: App, accountId: AccountId): Promise<void> {
  for (const { id } of await listBusiestAccounts(app, [{ accountId }])) await followAccount(app, accountId, id);
  await waitForJobs(app);
}
