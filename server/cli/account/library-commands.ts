import type { Command } from 'commander';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { CliError } from '../cli-error.ts';
import { withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';

/** Adds the commands that list drafts and bookmark folders. They print sizes and times, never private texts. */
export function addLibraryCommands(group: Command): void {
  group
    .command('drafts <username>')
    .description('List the drafts of an account, latest first, without their texts')
    .option(...jsonOption)
    .action((username: string, options: OutputOptions) => printRows(username, options, summarizeDrafts));
  group
    .command('bookmark-folders <username>')
    .description('List the bookmark folders of an account in their order, without their names')
    .option(...jsonOption)
    .action((username: string, options: OutputOptions) => printRows(username, options, countBookmarks));
}

function printRows(
  username: string,
  options: OutputOptions,
  load: (app: App, accountId: AccountId) => Promise<Record<string, unknown>[]>,
): Promise<void> {
  return withReadingApp(options, async (app) => {
    const { findLocalAccount } = await import('../../accounts/find/index.ts');
    const account = await findLocalAccount(app, username.replace(/^@/, ''));
    if (account === undefined) throw new CliError(`Unknown account: ${username}`);
    const rows = await load(app, account.id);
    print(options, rows, () => (rows.length === 0 ? ['There are none.'] : formatTable(rows)));
  });
}

async function summarizeDrafts(app: App, accountId: AccountId) {
  const { listDrafts, maxDrafts } = await import('../../drafts/index.ts');
  const page = { limit: maxDrafts, maxId: undefined, sinceId: undefined, minId: undefined };
  return (await listDrafts(app, accountId, page)).map(({ id, version, posts, created_at, updated_at }) => ({
    id,
    version,
    posts: posts.length,
    files: posts.flatMap(({ media_ids = [] }) => media_ids).length,
    created_at,
    updated_at,
  }));
}

async function countBookmarks(app: App, accountId: AccountId) {
  const { countFolderItems } = await import('../../bookmarks/index.ts');
  return countFolderItems(app, accountId);
}
