import { Option, type Command } from 'commander';
import type { App } from '../../platform/app.ts';
import { isId, type JobId } from '../../platform/ids.ts';
import {
  countChangeableJobs,
  countJobs,
  jobStates,
  listJobs,
  type JobFilter,
  type JobState,
} from '../../platform/work/manage-jobs.ts';
import { queues } from '../../platform/work/queues.ts';
import { changeJobs, type JobChange } from '../../site/jobs/index.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseId, parseLimit } from '../parse-options.ts';
import { createProgressBar } from '../progress-bar.ts';

interface FilterOptions extends OutputOptions {
  readonly queue?: string;
  readonly name?: string;
  readonly state?: JobState;
}

interface ListOptions extends FilterOptions {
  readonly before?: string;
  readonly limit: number;
}

interface ChangeOptions extends FilterOptions {
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

/** How a change is reported. */
interface ReportedChange {
  readonly verb: JobChange;
  readonly done: (jobs: number) => string;
}

export function addJobsCommands(group: Command): void {
  group
    .command('status')
    .description('Count the jobs of each queue by state')
    .option(...jsonOption)
    .action(showStatus);
  addFilterOptions(group.command('list').description('List jobs with their last errors, newest first'))
    .option('--before <id>', 'only jobs older than this one', parseId)
    .option('--limit <number>', 'maximum number', parseLimit, 50)
    .option(...jsonOption)
    .action(list);
  addChange(group, 'Run failed jobs again now, also those that were given up', {
    verb: 'retry',
    done: (jobs) => `${jobs} ${jobs === 1 ? 'job is' : 'jobs are'} due now.`,
  });
  addChange(group, 'Delete jobs that are not running. Their work is not done', {
    verb: 'delete',
    done: (jobs) => `${jobs} ${jobs === 1 ? 'job is' : 'jobs are'} deleted.`,
  });
}

function addFilterOptions(command: Command): Command {
  return command
    .addOption(new Option('--queue <queue>', 'only jobs of this queue').choices(queues))
    .option('--name <name>', 'only jobs of this name, such as media.process')
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(jobStates));
}

function addChange(group: Command, description: string, change: ReportedChange): void {
  addFilterOptions(group.command(`${change.verb} [ids...]`).description(description))
    .option('--all', 'all jobs; needed without ids and filters')
    .option('--dry-run', 'only count them')
    .option(...jsonOption)
    .action((ids: readonly string[], options: ChangeOptions) => changeListed(ids, options, change));
}

async function showStatus(options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const counts = await countJobs(app);
    print(options, counts, () =>
      counts.length === 0 ? ['No jobs are stored.'] : formatTable(counts.map((count) => ({ ...count }))),
    );
  });
}

async function list({ before, limit, queue, name, state, ...options }: ListOptions): Promise<void> {
  const page = { limit, maxId: before === undefined ? undefined : parseJobId(before) };
  await withReadingApp(options, async (app) => {
    const jobs = await listJobs(app, { queue, name, state }, page);
    const rows = jobs.map(({ data: _data, subscribers, last_error: error, ...job }) => ({
      ...job,
      name: subscribers?.join(', ') ?? job.name,
      last_error: firstLine(error),
    }));
    print(options, jobs, () => (rows.length === 0 ? ['There are no such jobs.'] : formatTable(rows)));
  });
}

const firstLine = (text: string | null): string | null => text?.split('\n', 1)[0]?.slice(0, 120) ?? null;

async function changeListed(
  texts: readonly string[],
  { queue, name, state, all = false, dryRun = false, ...options }: ChangeOptions,
  { verb, done }: ReportedChange,
): Promise<void> {
  const ids = texts.length === 0 ? undefined : texts.map(parseJobId);
  const filter: JobFilter = { ids, queue, name, state };
  if (!all && [ids, queue, name, state].every((value) => value === undefined))
    throw new CliError('Pass ids, --queue, --name or --state, or --all for all jobs.');
  await withCommandApp(options, async (app) => {
    const total = await countChangeableJobs(app, filter, verb);
    if (ids !== undefined && total < new Set(ids).size) throw new CliError(await explainMissing(app, filter, verb));
    if (dryRun) return print(options, { jobs: total, changed: 0 }, () => [`It would ${verb} ${total} jobs.`]);
    const bar = createProgressBar(options);
    const onProgress = (changed: number): void => bar.show(`${verb} jobs`, changed / Math.max(total, changed, 1));
    const changed = await changeJobs(app, 'system', { change: verb, filter, onProgress }).finally(bar.end);
    print(options, { jobs: total, changed }, () => [done(changed)]);
  });
}

async function explainMissing(app: App, filter: JobFilter, verb: JobChange): Promise<string> {
  const found = new Map((await listJobs(app, filter, { limit: filter.ids?.length ?? 1 })).map((job) => [job.id, job]));
  const unknown = filter.ids?.find((id) => !found.has(id));
  if (unknown !== undefined) return `Unknown job: ${unknown}`;
  const other = [...found.values()].find(({ state }) => state === 'running' || verb === 'retry');
  return `Job ${other?.id ?? '?'} is ${other?.state ?? 'running'}: nothing to ${verb}.`;
}

function parseJobId(text: string): JobId {
  if (!isId(text)) throw new CliError(`Not the id of a job: ${text}. See: fieldfare jobs list`);
  return text;
}
