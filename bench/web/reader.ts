import { spawnSync } from 'node:child_process';
import { chromium, type Browser } from 'playwright-core';
import type { App } from '../../server/platform/app.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import { followAccount } from '../../server/relationships/follow/index.ts';
import { storeWebSettings } from '../../server/users/settings/index.ts';
import { findWholeChromium, noChromium } from '../../test/clients/chromium.ts';
import { listBusiestAccounts, waitForJobs } from '../scene.ts';

/** Who opens home in the measurements. */
export const reader = { email: 'reader@mail.example', password: 'correct horse battery' };

/** Creates the reader on a server with these settings. */
export function createReader(settings: Readonly<Record<string, string>>): AccountId {
  const names = ['account', 'create', 'reader', '--email', reader.email, '--password', reader.password];
  const args = ['bin/fieldfare.mjs', ...names, '--confirmed', '--approved', '--scopes', 'read', '--json'];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...settings },
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`no account: ${stderr}`);
  return (JSON.parse(stdout) as { id: AccountId }).id;
}

/** Makes the account that of a daily reader: follows everyone who posts, and does not show the tour of newcomers. */
export async function fillHome(app: App, accountId: AccountId): Promise<void> {
  const users = app.db.selectFrom('users').select('id').where('account_id', '=', accountId);
  const { id } = await users.executeTakeFirstOrThrow();
  await storeWebSettings(app, id, { data: { hasSeenTour: true }, version: undefined });
  for (const { id } of await listBusiestAccounts(app, [{ accountId }])) await followAccount(app, accountId, id);
  await waitForJobs(app);
}

/** Runs `work` with a Chromium. It accepts any certificate: it opens pages of this machine only. */
export async function withChromium<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const executablePath = findWholeChromium();
  if (executablePath === undefined) throw new Error(noChromium);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--ignore-certificate-errors'] });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}
