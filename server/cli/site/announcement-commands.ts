import type { Command } from 'commander';
import type { AnnouncementId, AnnouncementInput, AnnouncementRow } from '../../announcements/index.ts';
import type { App } from '../../platform/app.ts';
import { isId } from '../../platform/ids.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseLimit, parseTimeOrNone } from '../parse-options.ts';

const load = () => import('../../announcements/index.ts');

interface AnnouncementOptions extends AnnouncementInput, OutputOptions {
  readonly draft?: boolean;
}

type StateChange = 'publishAnnouncement' | 'unpublishAnnouncement' | 'deleteAnnouncement';

interface ListOptions extends OutputOptions {
  readonly limit: number;
}

export function addAnnouncementCommands(group: Command): void {
  const details = (command: Command): Command =>
    command
      .option(
        '--starts-at <time>',
        'not visible before; ISO 8601, in UTC unless it has an offset; empty for none',
        parseTimeOrNone,
      )
      .option('--ends-at <time>', 'expires then; empty for never', parseTimeOrNone)
      .option('--scheduled-at <time>', 'published then, at the earliest; empty for at once', parseTimeOrNone)
      .option(...jsonOption);
  details(group.command('add <text>').description('Create an announcement; published from its start on'))
    .option('--all-day', 'the times are days')
    .option('--draft', 'do not publish it')
    .action((text: string, { draft, ...options }: AnnouncementOptions) =>
      run(options, async (app) => {
        const { createAnnouncement } = await load();
        return createAnnouncement(app, 'system', { ...options, text, published: draft !== true });
      }),
    );
  details(group.command('edit <id>').description('Change an announcement').option('--text <text>', 'the new text'))
    .option('--all-day', 'the times are days')
    .option('--no-all-day', 'the times are moments')
    .action((id: string, options: AnnouncementOptions) =>
      changeOne(id, options, async (app, found) => (await load()).editAnnouncement(app, 'system', found, options)),
    );
  const one = (name: string, description: string, change: StateChange): void => {
    group
      .command(`${name} <id>`)
      .description(description)
      .option(...jsonOption)
      .action((id: string, options: OutputOptions) =>
        changeOne(id, options, async (app, found) => (await load())[change](app, 'system', found)),
      );
  };
  one('publish', 'Publish a draft or a scheduled announcement now, or at its start', 'publishAnnouncement');
  one('unpublish', 'Withdraw an announcement, which stays as a draft', 'unpublishAnnouncement');
  one('delete', 'Delete an announcement with its reactions', 'deleteAnnouncement');
  group
    .command('list')
    .description('List the announcements, newest first')
    .option('--limit <number>', 'at most this many', parseLimit, 20)
    .option(...jsonOption)
    .action((options: ListOptions) =>
      withReadingApp(options, async (app) => {
        const rows = (await listRows(app, options.limit)).map(toOutput);
        print(options, rows, () => (rows.length === 0 ? ['There are no announcements.'] : formatTable(rows)));
      }),
    );
}

async function run(options: OutputOptions, change: (app: App) => Promise<AnnouncementId>): Promise<void> {
  await withCommandApp(options, async (app) => {
    const id = await change(app);
    print(options, { id }, () => [id]);
  });
}

function changeOne(
  id: string,
  options: OutputOptions,
  change: (app: App, id: AnnouncementId) => Promise<void>,
): Promise<void> {
  return run(options, async (app) => {
    if (!isId(id)) throw unknownAnnouncement(id);
    try {
      await change(app, id);
    } catch (error) {
      if (isNotFound(error)) throw unknownAnnouncement(id);
      throw error;
    }
    return id;
  });
}

const unknownAnnouncement = (id: string): CliError => new CliError(`Unknown announcement: ${id}`);

async function listRows(app: App, limit: number): Promise<AnnouncementRow[]> {
  const page = { limit, maxId: undefined, sinceId: undefined, minId: undefined };
  const { listAllAnnouncements } = await load();
  return (await listAllAnnouncements(app, page)).announcements.map(({ row }) => row);
}

const toOutput = ({ id, text, draft, starts_at, ends_at, scheduled_at, published_at }: AnnouncementRow) => ({
  id,
  text,
  draft,
  starts_at,
  ends_at,
  scheduled_at,
  published_at,
});
