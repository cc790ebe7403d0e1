import type { Command } from 'commander';
import type { StatusActionType } from '../../moderation/statuses/index.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { jsonOption, print, type OutputOptions } from '../output.ts';
import { parseReportId, rethrowUnknown } from './parse-report-id.ts';

interface ActionOptions extends OutputOptions {
  readonly post?: readonly string[];
  readonly text?: string;
  readonly notify: boolean;
  readonly yes?: boolean;
}

/** Adds the actions on reported posts to the group `report`. */
export function addStatusActions(group: Command): void {
  addOptions(group.command('delete-posts <id>'))
    .description('Delete the posts of a report, warn their author and close it; their copies stay as evidence')
    .option('--yes', 'confirm; this cannot be undone')
    .action((id: string, options: ActionOptions) => {
      if (options.yes !== true) {
        throw new CliError(`This cannot be undone. To confirm, add --yes: report delete-posts ${id} --yes`);
      }
      return act(id, options, { type: 'delete_statuses', changedMessage: 'are deleted' });
    });
  addOptions(group.command('mark-sensitive <id>'))
    .description('Mark the posts of a report with media as sensitive, warn their author and close it')
    .action((id: string, options: ActionOptions) =>
      act(id, options, { type: 'mark_statuses_as_sensitive', changedMessage: 'are marked as sensitive' }),
    );
}

const addOptions = (command: Command): Command =>
  command
    .option('--post <id...>', 'only these posts of the report')
    .option('--text <text>', 'message to add to the mail')
    .option('--no-notify', 'do not notify the user')
    .option(...jsonOption);

async function act(
  text: string,
  { post, text: message, notify, ...options }: ActionOptions,
  { type, changedMessage }: { readonly type: StatusActionType; readonly changedMessage: string },
): Promise<void> {
  const reportId = parseReportId(text);
  await withCommandApp(options, async (app) => {
    const { takeStatusAction } = await import('../../moderation/statuses/index.ts');
    const statusIds = post;
    const action = { type, reportId, statusIds, text: message, notify };
    const changed = await takeStatusAction(app, 'system', action).catch(rethrowUnknown(reportId));
    print(options, { id: reportId, changed }, () => [
      changed ? `The posts of report ${reportId} ${changedMessage}.` : `Nothing changed about report ${reportId}.`,
    ]);
  });
}
