import { Option, type Command } from 'commander';
import {
  addRelay,
  pageOfRelays,
  presentRelay,
  removeRelay,
  subscribeRelay,
  unsubscribeRelay,
  type NewRelay,
} from '../../federation/relays/index.ts';
import type { App } from '../../platform/app.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';

type AddOptions = OutputOptions & Pick<NewRelay, 'kind'>;

export function addRelayCommands(group: Command): void {
  group
    .command('list')
    .description('List the relays with their states, newest first')
    .option(...jsonOption)
    .action(list);
  group
    .command('add <url>')
    .description('Add a relay by the address of its inbox or actor, and subscribe to it')
    .addOption(
      new Option(
        '--kind <kind>',
        'mastodon: the address is an inbox; litepub: an actor (default if it ends with /actor or /relay)',
      ).choices(['mastodon', 'litepub']),
    )
    .option(...jsonOption)
    .action(add);
  addRelayAction(group, 'subscribe', 'Subscribe to a relay again', (app, id) => subscribeRelay(app, 'system', id));
  addRelayAction(group, 'unsubscribe', 'Stop the exchange of posts with a relay', (app, id) =>
    unsubscribeRelay(app, 'system', id),
  );
  group
    .command('remove <url>')
    .description('Unsubscribe from a relay and delete it')
    .option(...jsonOption)
    .action(remove);
}

const allRelays = (app: App) =>
  pageOfRelays(app, { limit: 1_000, maxId: undefined, sinceId: undefined, minId: undefined }, {});

async function list(options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const relays = (await allRelays(app)).map(presentRelay);
    print(options, relays, () => (relays.length === 0 ? ['There are no relays.'] : formatTable(relays)));
  });
}

async function add(url: string, { kind, ...options }: AddOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const relay = presentRelay(await addRelay(app, 'system', { url, kind }));
    print(options, relay, () => [`${relay.url} is added (${relay.kind}), and has not answered yet.`]);
  });
}

async function remove(url: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { id } = await requireByUrl(app, url);
    await removeRelay(app, 'system', id);
    print(options, { id, url, deleted: true }, () => [`${url} is deleted.`]);
  });
}

function addRelayAction(
  group: Command,
  name: string,
  description: string,
  run: (app: App, id: Awaited<ReturnType<typeof requireByUrl>>['id']) => ReturnType<typeof subscribeRelay>,
): void {
  group
    .command(`${name} <url>`)
    .description(description)
    .option(...jsonOption)
    .action(async (url: string, options: OutputOptions) => {
      await withCommandApp(options, async (app) => {
        const relay = presentRelay(await run(app, (await requireByUrl(app, url)).id));
        print(options, relay, () => [`${relay.url} is ${relay.state}.`]);
      });
    });
}

/** Returns a relay by its address or id. */
async function requireByUrl(app: App, url: string) {
  const relay = (await allRelays(app)).find((each) => each.url === url.trim() || each.id === url);
  if (relay === undefined) throw new CliError(`Unknown relay: ${url}`);
  return relay;
}
