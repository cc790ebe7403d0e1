import type { Command } from 'commander';
import { isId } from '../../platform/ids.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';

export function addWebhookCommands(group: Command): void {
  group
    .command('list <username>')
    .description('List the webhooks of an account with their states, newest first')
    .option(...jsonOption)
    .action(listWebhooks);
  group
    .command('delete <id>')
    .description('Delete a webhook, such as one that is used for abuse')
    .option(...jsonOption)
    .action(deleteOne);
}

async function listWebhooks(username: string, options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const { findLocalAccount } = await import('../../accounts/find/index.ts');
    const { listAccountWebhooks } = await import('../../webhooks/index.ts');
    const account = await findLocalAccount(app, username);
    if (account === undefined) throw new CliError(`Unknown account: ${username}`);
    const webhooks = (await listAccountWebhooks(app, account.id)).map(({ applicationName, webhook }) => ({
      ...webhook,
      app: applicationName,
    }));
    print(options, webhooks, () =>
      webhooks.length === 0
        ? [`@${account.username} has no webhooks.`]
        : formatTable(
            webhooks.map(({ id, app: name, state, url, events, last_delivered_at, dropped_events }) => ({
              id,
              app: name,
              state,
              url,
              events: events.join(' '),
              last_delivered_at,
              dropped_events,
            })),
          ),
    );
  });
}

async function deleteOne(id: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    if (!isId(id)) throw new CliError(`Unknown webhook: ${id}`);
    const { deleteWebhookAsStaff } = await import('../../webhooks/index.ts');
    try {
      await deleteWebhookAsStaff(app, 'system', id);
    } catch (error) {
      if (isNotFound(error)) throw new CliError(`Unknown webhook: ${id}`);
      throw error;
    }
    print(options, { id, deleted: true }, () => [`Webhook ${id} is deleted.`]);
  });
}
