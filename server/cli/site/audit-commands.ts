import type { Command } from 'commander';
import { listEntries } from '../../moderation/audit-log/index.ts';
import { loadTargetAccount } from '../account/load-target-account.ts';
import { commandConfig } from '../command-config.ts';
import { withApp } from '../open/open-app.ts';
import { commandLog, formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parsePositiveInteger } from '../parse-options.ts';

interface ListOptions extends OutputOptions {
  readonly staff?: string;
  readonly action?: string;
  readonly target?: string;
  readonly before?: string;
  readonly limit: number;
}

export function addAuditCommands(program: Command): void {
  const group = program.command('audit').description('Show what staff changed');
  group
    .command('list')
    .description('List the entries of the audit log, newest first')
    .option('--staff <username>', 'only what this staff member changed')
    .option('--action <action>', 'only this action, such as domain_block.create')
    .option('--target <kind>', 'only changes of this kind of target, such as account')
    .option('--before <id>', 'only entries older than this one')
    .option('--limit <number>', 'maximum number', parsePositiveInteger, 100)
    .option(...jsonOption)
    .action(list);
}

async function list({ staff, action, target, before, limit, ...options }: ListOptions): Promise<void> {
  await withApp(commandConfig(), commandLog(), async (app) => {
    const staffId = staff === undefined ? undefined : (await loadTargetAccount(app, staff, false)).accountId;
    const page = { limit, maxId: before, sinceId: undefined, minId: undefined };
    const { entries } = await listEntries(app, page, { staffId, action, targetType: target });
    const rows = entries.map((entry) => ({
      id: entry.id,
      at: entry.created_at,
      by: entry.staff?.username ?? 'command line',
      action: entry.action,
      target: entry.target.label,
      changes: entry.after === null ? '' : JSON.stringify(entry.after),
    }));
    print(options, entries, () => (rows.length === 0 ? ['The audit log has no such entries.'] : formatTable(rows)));
  });
}
