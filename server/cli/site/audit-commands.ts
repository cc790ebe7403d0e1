import { InvalidArgumentError, Option, type Command } from 'commander';
import { listEntries } from '../../moderation/audit-log/index.ts';
import { auditTargets, auditVerbs } from '../../site/audit/index.ts';
import { loadTargetAccount } from '../account/load-target-account.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { withReadingApp } from '../open/command-app.ts';
import { parseId, parseLimit } from '../parse-options.ts';

interface ListOptions extends OutputOptions {
  readonly staff?: string;
  readonly action?: string;
  readonly target?: string;
  readonly before?: string;
  readonly limit: number;
}

export function addAuditCommands(group: Command): void {
  group
    .command('list')
    .description('List the entries of the audit log, newest first')
    .option('--staff <username>', 'only what this staff member changed')
    .option('--action <action>', 'only this action, such as domain_block.create', parseAction)
    .addOption(new Option('--target <kind>', 'only changes of this kind of target').choices(auditTargets))
    .option('--before <id>', 'only entries older than this one', parseId)
    .option('--limit <number>', 'maximum number', parseLimit, 100)
    .option(...jsonOption)
    .action(list);
}

/** Parses an action: a kind of target and a verb. */
function parseAction(text: string): string {
  const [target = '', verb = ''] = text.split('.', 2);
  if (!auditTargets.some((known) => known === target))
    throw new InvalidArgumentError(
      `It must be a target and a verb, such as domain_block.create. Targets: ${auditTargets.join(', ')}.`,
    );
  if (!auditVerbs.some((known) => known === verb) || text !== `${target}.${verb}`)
    throw new InvalidArgumentError(`${verb} is no verb. Verbs: ${auditVerbs.join(', ')}.`);
  return text;
}

async function list({ staff, action, target, before, limit, ...options }: ListOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
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
