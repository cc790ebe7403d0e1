import { Option, type Command } from 'commander';
import type { App } from '../../platform/app.ts';
import { isId } from '../../platform/ids.ts';
import type { WebhookId } from '../../webhooks/index.ts';
import type { StaffEvent, StaffWebhook } from '../../webhooks/staff/index.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseLimit } from '../parse-options.ts';
import { readTextFile } from './read-text-file.ts';

interface WebhookOptions extends OutputOptions {
  readonly url?: string;
  readonly events?: StaffEvent[];
  readonly template?: string;
}

const load = () => import('../../webhooks/staff/index.ts');
/** Named here as well, so that help needs no part of the server. */
const staffEvents = {
  'account.approved': true,
  'account.created': true,
  'account.updated': true,
  'held_post.created': true,
  'report.created': true,
  'report.updated': true,
  'status.created': true,
  'status.updated': true,
} as const satisfies Record<StaffEvent, true>;

const manager = { staff: 'system', permissions: 0n } as const;

export function addAdminWebhookCommands(group: Command): void {
  const details = (command: Command): Command =>
    command
      .addOption(new Option('--events <events...>', 'what to send').choices(Object.keys(staffEvents)))
      .option('--template <file>', 'text file with the body, with variables such as {{object.id}}; "" for none')
      .option(...jsonOption);
  details(
    group.command('add <url>').description('Add a webhook and print its secret, which is not shown again'),
  ).action((url: string, options: WebhookOptions) =>
    withCommandApp(options, async (app) => {
      const { createStaffWebhook } = await load();
      const created = await createStaffWebhook(app, manager, { ...(await toInput(options)), url });
      print(options, created, () => [`Webhook ${created.id}, with the secret ${created.secret}`]);
    }),
  );
  details(group.command('edit <id>').description('Change a webhook').option('--url <url>', 'the new address')).action(
    (written: string, options: WebhookOptions) =>
      change(written, options, async (app, id) => {
        const { updateStaffWebhook } = await load();
        return updateStaffWebhook(app, manager, id, await toInput(options));
      }),
  );
  const one = (name: string, description: string, run: ChangeWebhook): void => {
    group
      .command(`${name} <id>`)
      .description(description)
      .option(...jsonOption)
      .action((written: string, options: OutputOptions) => change(written, options, run));
  };
  one('enable', 'Enable a webhook, and end a pause after failures', async (app, id) =>
    (await load()).setStaffWebhookEnabled(app, 'system', { id, enabled: true }),
  );
  one('disable', 'Disable a webhook, and delete the events that wait', async (app, id) =>
    (await load()).setStaffWebhookEnabled(app, 'system', { id, enabled: false }),
  );
  one('rotate-secret', 'Replace the secret of a webhook at once, and print the new one', async (app, id) =>
    (await load()).rotateStaffSecret(app, 'system', id),
  );
  one('delete', 'Delete a webhook with its log', async (app, id) => {
    await (await load()).deleteStaffWebhook(app, 'system', id);
    return undefined;
  });
  group
    .command('list')
    .description('List the webhooks with their states, newest first')
    .option(...jsonOption)
    .action(list);
  group
    .command('deliveries <id>')
    .description('List the events of a webhook that wait, and the last that were sent')
    .option('--limit <number>', 'maximum number', parseLimit, 100)
    .option(...jsonOption)
    .action(listDeliveries);
}

async function toInput({ url, events, template, ...options }: WebhookOptions) {
  const text = template === undefined || template === '' ? template : await readTextFile(options, template);
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events }),
    ...(text !== undefined && { template: text }),
  };
}

type ChangeWebhook = (app: App, id: WebhookId) => Promise<(StaffWebhook & { readonly secret?: string }) | undefined>;

async function change(written: string, options: OutputOptions, run: ChangeWebhook): Promise<void> {
  const id = parseId(written);
  await withCommandApp(options, async (app) => {
    const webhook = await run(app, id).catch(rethrowUnknown(written));
    print(options, webhook ?? { id, deleted: true }, () => {
      if (webhook === undefined) return [`Webhook ${id} is deleted.`];
      const { secret, ...shown } = webhook;
      return [...formatTable([toRow(shown)]), ...(secret === undefined ? [] : [`The new secret is ${secret}`])];
    });
  });
}

async function list(options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const { listStaffWebhooks } = await load();
    const webhooks = await listStaffWebhooks(app);
    print(options, webhooks, () =>
      webhooks.length === 0 ? ['There are no such webhooks.'] : formatTable(webhooks.map(toRow)),
    );
  });
}

async function listDeliveries(
  written: string,
  { limit, ...options }: OutputOptions & { readonly limit: number },
): Promise<void> {
  const id = parseId(written);
  await withReadingApp(options, async (app) => {
    const page = { limit, maxId: undefined, sinceId: undefined, minId: undefined };
    const { listStaffDeliveries } = await load();
    const rows = await listStaffDeliveries(app, id, page).catch(rethrowUnknown(written));
    print(options, rows, () => (rows.length === 0 ? ['There are no events.'] : formatTable(rows)));
  });
}

const toRow = ({ id, state, url, events, last_delivered_at, dropped_events }: StaffWebhook) => ({
  id,
  state,
  url,
  events: events.join(' '),
  last_delivered_at,
  dropped_events,
});

function parseId(written: string): WebhookId {
  if (!isId(written)) throw unknownWebhook(written);
  return written;
}

const rethrowUnknown =
  (written: string) =>
  (error: unknown): never => {
    if (isNotFound(error)) throw unknownWebhook(written);
    throw error;
  };

const unknownWebhook = (written: string): CliError => new CliError(`Unknown webhook: ${written}`);
