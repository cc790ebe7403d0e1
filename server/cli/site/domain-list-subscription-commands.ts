import type { Command } from 'commander';
import {
  addList,
  applyList,
  listChanges,
  pageOfLists,
  presentList,
  refreshList,
  removeList,
  setException,
  updateList,
} from '../../moderation/domain-lists/index.ts';
import type { App } from '../../platform/app.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';

interface ListOptions extends OutputOptions {
  readonly automatic?: boolean;
  readonly undo?: boolean;
  readonly dryRun?: boolean;
  readonly remove?: boolean;
}

export function addDomainListSubscriptionCommands(group: Command): void {
  const add = (usage: string, description: string): Command => group.command(usage).description(description);
  add('list', 'List the subscriptions, newest first')
    .option(...jsonOption)
    .action((options: ListOptions) =>
      withReadingApp(options, async (app) => {
        const lists = (await allLists(app)).map(presentList);
        print(options, lists, () => (lists.length === 0 ? ['There are no subscriptions.'] : formatTable(lists)));
      }),
    );
  add('subscribe <url>', 'Subscribe to a CSV file in the format of Mastodon')
    .option('--automatic', 'apply each version without staff')
    .option(...jsonOption)
    .action((url: string, { automatic, ...options }: ListOptions) =>
      withCommandApp(options, async (app) => {
        const list = presentList(await addList(app, 'system', { url, automatic }));
        print(options, list, () => [`${list.url} is subscribed, and is fetched by the running server.`]);
      }),
    );
  add('set <url>', 'Set whether a list is applied without staff')
    .option('--automatic', 'apply each version without staff')
    .option('--no-automatic', 'store each version as a draft')
    .option(...jsonOption)
    .action((url: string, { automatic = false, ...options }: ListOptions) =>
      withCommandApp(options, async (app) => {
        const list = presentList(await updateList(app, 'system', (await requireByUrl(app, url)).id, { automatic }));
        print(options, list, () => [`${list.url} is ${list.automatic ? 'applied automatically' : 'a draft'}.`]);
      }),
    );
  add('fetch <url>', 'Let the running server fetch a list')
    .option(...jsonOption)
    .action((url: string, options: ListOptions) =>
      withCommandApp(options, async (app) => {
        const list = presentList(await refreshList(app, 'system', (await requireByUrl(app, url)).id));
        print(options, list, () => [`${list.url} will be fetched.`]);
      }),
    );
  add('apply <url>', 'Apply the last version of a list')
    .option('--dry-run', 'only show what would change')
    .option(...jsonOption)
    .action((url: string, { dryRun, ...options }: ListOptions) =>
      withCommandApp(options, async (app) => {
        const { id } = await requireByUrl(app, url);
        const changes = await listChanges(app, id);
        const applied = dryRun === true ? 0 : await applyList(app, 'system', id);
        const rows = changes.map(({ domain, change, listed, existing }) => ({
          domain,
          change,
          severity: listed?.severity,
          before: existing?.severity,
        }));
        print(options, { applied, changes }, () => [
          ...(rows.length === 0 ? [] : formatTable(rows)),
          dryRun === true ? 'Nothing was changed.' : `${applied} changed.`,
        ]);
      }),
    );
  add('except <url> <domain>', 'Make a server an exception of a list')
    .option('--remove', 'remove the exception')
    .option(...jsonOption)
    .action((url: string, domain: string, { remove, ...options }: ListOptions) =>
      withCommandApp(options, async (app) => {
        const isExcepted = remove !== true;
        const { id } = await requireByUrl(app, url);
        await setException(app, 'system', id, { domain, isExcepted }).catch((error: unknown) => {
          if (isNotFound(error)) throw new CliError(`The list has no server ${domain}.`);
          throw error;
        });
        print(options, { domain, excepted: isExcepted }, () => [
          `${domain} is ${isExcepted ? 'an exception' : 'no exception'}.`,
        ]);
      }),
    );
  add('unsubscribe <url>', 'End a subscription; the blocks stay')
    .option('--undo', 'also remove the blocks that the list created')
    .option(...jsonOption)
    .action((url: string, { undo, ...options }: ListOptions) =>
      withCommandApp(options, async (app) => {
        await removeList(app, 'system', (await requireByUrl(app, url)).id, undo);
        print(options, { url, deleted: true }, () => [`${url} is no longer subscribed.`]);
      }),
    );
}

const allLists = (app: App) =>
  pageOfLists(app, { limit: 100, maxId: undefined, sinceId: undefined, minId: undefined }, {});

/** Returns a list by its address or id. */
async function requireByUrl(app: App, url: string) {
  const list = (await allLists(app)).find((each) => each.url === url.trim() || each.id === url);
  if (list === undefined) throw new CliError(`Unknown list: ${url}`);
  return list;
}
