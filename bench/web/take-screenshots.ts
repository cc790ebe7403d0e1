// Takes the screenshots of the README and those of the web app manifest from demo data: npm run bench -- screenshots
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import manifest from '../../package.json' with { type: 'json' };
import { ensureWebClient } from '../../bin/build-web.mjs';
import type { App } from '../../server/platform/app.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import { followAccount } from '../../server/relationships/follow/index.ts';
import { storeWebSettings } from '../../server/users/settings/index.ts';
import { findWholeChromium, noChromium } from '../../test/clients/chromium.ts';
import { waitForJobs } from '../scene.ts';
import { SeededServer } from '../seeded-server.ts';
import { signInAndStore } from './client-adapter.ts';

const port = '3988';
const root = join(import.meta.dirname, '..', '..');
/** The screenshots of the README. */
const readmeFolder = join(root, 'docs', 'images');
/** Those of the manifest, which the server serves. */
const manifestFolder = join(root, 'server', 'pages', 'web', 'screenshots');
const reader = { email: 'wilma@mail.example', password: 'correct horse battery' };
const followedCount = 30;
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

const executablePath = findWholeChromium();
if (executablePath === undefined) throw new Error(noChromium);
if (!(await ensureWebClient())) throw new Error('the web client could not be built');

const seeded = new SeededServer({ name: 'screenshots', port, accounts: '60', statuses: '1500' });
const origin = `http://localhost:${port}`;
try {
  runCli('site', 'set', 'title', 'Orchard');
  const credentials = ['--email', reader.email, '--password', reader.password, '--confirmed', '--approved'];
  const { id } = JSON.parse(runCli('account', 'create', 'wilma', ...credentials, '--json')) as { id: AccountId };
  await seeded.run(manifest.scripts.start, async (app) => {
    const { id: userId } = await app.db
      .selectFrom('users')
      .select('id')
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow();
    await storeWebSettings(app, userId, { data: { hasSeenTour: true }, version: undefined });
    const accounts = await listAuthors(app);
    // Many machines have no font for the other languages of the demo posts.
    for (const account of accounts) await followAccount(app, id, account.id, { languages: ['en'] });
    for (const [index, { username }] of accounts.entries()) await uploadAvatar(username, index);
    await waitForJobs(app);
    await takeScreenshots(await findThread(app));
  });
} finally {
  seeded.close();
}
process.exit(0);

function runCli(...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['bin/fieldfare.mjs', ...args], {
    env: { ...process.env, ...seeded.env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** Returns the local accounts with most posts. */
function listAuthors(app: App): Promise<{ id: AccountId; username: string }[]> {
  return app.db
    .selectFrom('accounts')
    .innerJoin('account_stats', 'account_stats.account_id', 'accounts.id')
    .select(['accounts.id', 'accounts.username'])
    .where(sql<boolean>`accounts.domain is null and not accounts.locked and accounts.activated`)
    .where('accounts.username', '<>', 'wilma')
    .orderBy('account_stats.statuses_count', 'desc')
    .limit(followedCount)
    .execute();
}

/** Returns the path of the post with most replies. */
async function findThread(app: App): Promise<string> {
  const { username, id } = await app.db
    .selectFrom('statuses')
    .innerJoin('accounts', 'accounts.id', 'statuses.account_id')
    .innerJoin('statuses as replies', 'replies.in_reply_to_id', 'statuses.id')
    .select(['accounts.username', 'statuses.id'])
    .where(sql<boolean>`accounts.domain is null and statuses.in_reply_to_id is null`)
    .where('statuses.visibility', '=', 'public')
    .groupBy(['accounts.username', 'statuses.id'])
    .orderBy(sql`count(*)`, 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return `/@${username}/${id}`;
}

/** Demo accounts have no profile pictures: draws one, a hill below a sky, in colours of its own. */
async function uploadAvatar(username: string, index: number): Promise<void> {
  const hue = (index * 47) % 360;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">
    <rect width="200" height="200" fill="hsl(${hue} 55% 82%)"/>
    <circle cx="${60 + ((index * 31) % 90)}" cy="70" r="34" fill="hsl(${hue + 30} 75% 65%)"/>
    <path d="M0 150 Q${40 + ((index * 23) % 120)} ${90 + ((index * 13) % 40)} 200 140 V200 H0Z" fill="hsl(${hue} 40% 42%)"/>
  </svg>`;
  const form = new FormData();
  form.set('avatar', new Blob([new Uint8Array(await sharp(Buffer.from(drawing)).png().toBuffer())]), 'avatar.png');
  const token = runCli('token', 'create', username, '--scopes', 'write').split(/\s+/).at(-1);
  const response = await fetch(`${origin}/api/v1/accounts/update_credentials`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  if (!response.ok) throw new Error(`the profile picture of ${username}: ${response.status}`);
}

/** A screenshot. Those with `folder` are also, or only, for the manifest. */
interface Screenshot {
  readonly name: string;
  readonly path: string;
  readonly size: 'desktop' | 'phone';
  readonly colorScheme: 'light' | 'dark';
  readonly folder: string;
}

function listScreenshots(thread: string): readonly Screenshot[] {
  return [
    { name: 'home', path: '/', size: 'desktop', colorScheme: 'light', folder: readmeFolder },
    { name: 'home-phone', path: '/', size: 'phone', colorScheme: 'light', folder: readmeFolder },
    { name: 'catch-up', path: '/catch-up?period=168h', size: 'desktop', colorScheme: 'light', folder: readmeFolder },
    { name: 'catch-up-phone', path: '/catch-up?period=168h', size: 'phone', colorScheme: 'dark', folder: readmeFolder },
    { name: 'thread', path: thread, size: 'desktop', colorScheme: 'dark', folder: readmeFolder },
    { name: 'wide', path: '/', size: 'desktop', colorScheme: 'light', folder: manifestFolder },
    { name: 'narrow', path: '/', size: 'phone', colorScheme: 'light', folder: manifestFolder },
  ];
}

async function takeScreenshots(thread: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
  try {
    const storageState = await signInAndStore(browser, origin, reader);
    for (const screenshot of listScreenshots(thread)) {
      const { size, colorScheme } = screenshot;
      const isPhone = size === 'phone';
      const context = await browser.newContext({
        storageState,
        colorScheme,
        viewport: sizes[size],
        ...(isPhone && { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
      });
      await takeScreenshot(await context.newPage(), screenshot);
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

async function takeScreenshot(page: Page, { name, path, folder }: Screenshot): Promise<void> {
  await page.goto(origin + path);
  await page.locator('#content article').nth(2).waitFor();
  await page.waitForLoadState('networkidle');
  mkdirSync(folder, { recursive: true });
  await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toFile(join(folder, `${name}.webp`));
}
