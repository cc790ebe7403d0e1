import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ModerationRuleInput } from '../../moderation-rules/manage/index.ts';
import { ruleActions, ruleOrigins, ruleSubjects, type ModerationRule } from '../../moderation-rules/index.ts';
import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { isId } from '../../platform/ids.ts';
import type { ModerationRuleId } from '../../moderation-rules/index.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseDays, parseId, parseLimit, parsePositiveInteger } from '../parse-options.ts';

type SetOptions = OutputOptions &
  Pick<ModerationRuleInput, 'title' | 'subject' | 'origin' | 'conditions' | 'score'> & {
    readonly action?: ModerationRuleInput['actions'];
    readonly enable?: boolean;
    readonly disable?: boolean;
  };

interface ListOptions extends OutputOptions {
  readonly before?: string;
  readonly limit: number;
}

const maxTrialDays = 30;
const load = () => import('../../moderation-rules/manage/index.ts');
const loadTrials = () => import('../../moderation-rules/trials/index.ts');

export function addModerationRuleCommands(group: Command): void {
  withValues(group.command('add <title>').description('Add a rule; it is disabled without --enable')).action(
    (title: string, options: SetOptions) =>
      change(options, async (app) =>
        (await load()).createModerationRule(app, 'system', toInput({ ...options, title })),
      ),
  );
  withValues(group.command('set <id>').description('Change the given properties of a rule'))
    .option('--title <text>', 'for staff')
    .option('--disable', 'no longer compare posts with it')
    .action((id: string, options: SetOptions) =>
      change(
        options,
        async (app) => (await load()).updateModerationRule(app, 'system', { ...toInput(options), id: parseRuleId(id) }),
        id,
      ),
    );
  const addCommand = (name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .option(...jsonOption);
  addCommand('show <id>', 'Show a rule').action((id: string, options: OutputOptions) =>
    change(options, async (app) => (await load()).requireModerationRule(app, parseRuleId(id)), id),
  );
  addCommand('delete <id>', 'Delete a rule, with the list of what it did').action(remove);
  addCommand('undo <id>', 'Undo everything that a rule did; the server does so in the background').action(undo);
  addCommand('try <id>', 'Compare a rule with the posts of the last days; the server does so in the background')
    .option('--days <number>', 'at most 30', parseDays, 7)
    .action(tryRule);
  const addList = (name: string, description: string): Command =>
    addCommand(name, description)
      .option('--before <id>', 'only those older than this one', parseId)
      .option('--limit <number>', 'maximum number', parseLimit, 100);
  addList('list', 'List the rules, newest first').action(list);
  addList('trials <id>', 'List the trials of a rule with their counts and samples, newest first').action(listTrials);
  addList('matches <id>', 'List what a rule did, newest first').action(listMatches);
}

const withValues = (command: Command): Command =>
  command
    .addOption(new Option('--subject <kind>', 'what it is compared with').choices(ruleSubjects))
    .addOption(new Option('--origin <origin>', 'whether the author is local').choices(ruleOrigins))
    .option('--conditions <json>', 'such as {"text":{"keywords":["casino"]}}', parseJson)
    .addOption(new Option('--action <actions...>', 'what happens if it matches').choices(ruleActions))
    .option('--score <number>', 'of 100, at which an action is taken; 100 by default', parsePositiveInteger)
    .option('--enable', 'compare posts with it from now on')
    .option(...jsonOption);

const toInput = ({
  title,
  subject,
  origin,
  conditions,
  score,
  action,
  enable,
  disable,
}: SetOptions): ModerationRuleInput => ({
  title,
  subject,
  origin,
  conditions,
  score,
  actions: action,
  ...((enable === true || disable === true) && { enabled: enable === true }),
});

/** Runs a command about one rule and prints the rule. */
async function change(options: OutputOptions, run: (app: App) => Promise<ModerationRule>, id?: string): Promise<void> {
  await withCommandApp(options, async (app) => {
    const rule = await run(app).catch(rethrowUnknown(id));
    print(options, rule, () => [
      `${rule.id}: ${rule.title} (${rule.enabled ? 'enabled' : 'disabled'})`,
      `${rule.origin} ${rule.subject}: ${rule.actions.join(', ')} (score ${rule.score})`,
      JSON.stringify(rule.conditions),
    ]);
  });
}

async function remove(id: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { deleteModerationRule } = await load();
    await deleteModerationRule(app, 'system', parseRuleId(id)).catch(rethrowUnknown(id));
    print(options, { id, changed: true }, () => [`Rule ${id} is deleted.`]);
  });
}

async function tryRule(id: string, { days, ...options }: OutputOptions & { readonly days: number }): Promise<void> {
  await withCommandApp(options, async (app) => {
    if (days > maxTrialDays) throw new CliError(`--days must be at most ${maxTrialDays}`);
    const { startRuleTrial } = await loadTrials();
    const trial = await startRuleTrial(app, 'system', { id: parseRuleId(id), days }).catch(rethrowUnknown(id));
    print(options, trial, () => [`Rule ${id} is being compared with the posts since ${trial.since}.`]);
  });
}

async function listTrials(id: string, options: ListOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { listRuleTrials } = await loadTrials();
    const { trials } = await listRuleTrials(app, parseRuleId(id), toPage(options)).catch(rethrowUnknown(id));
    print(options, trials, () =>
      trials.length === 0
        ? ['The rule was not tried yet.']
        : trials.flatMap(({ since, examined, matched, samples, finished_at: finished }) => [
            `since ${since}: ${matched} of ${examined} posts match${finished === null ? ' (running)' : ''}`,
            ...samples.map(({ status_id: statusId, excerpt }) => `  ${statusId}  ${excerpt.replaceAll('\n', ' ')}`),
          ]),
    );
  });
}

async function undo(id: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { undoModerationRule } = await import('../../moderation/rules/index.ts');
    await undoModerationRule(app, 'system', parseRuleId(id)).catch(rethrowUnknown(id));
    print(options, { id, queued: true }, () => [`What rule ${id} did is being undone.`]);
  });
}

async function list(options: ListOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const { listModerationRules } = await load();
    const { rules } = await listModerationRules(app, toPage(options));
    print(options, rules, () =>
      rules.length === 0
        ? ['There are no moderation rules.']
        : formatTable(
            rules.map(({ id, title, enabled, origin, subject, actions, score }) => ({
              id,
              title,
              enabled,
              origin,
              subject,
              actions: actions.join(' '),
              score,
            })),
          ),
    );
  });
}

async function listMatches(id: string, options: ListOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { listRuleMatches } = await load();
    const { matches } = await listRuleMatches(app, parseRuleId(id), toPage(options)).catch(rethrowUnknown(id));
    print(options, matches, () =>
      matches.length === 0
        ? ['The rule did nothing so far.']
        : formatTable(
            matches.map(({ id: matchId, created_at, account_id, actions, excerpt }) => ({
              id: matchId,
              created_at,
              account_id,
              actions: actions.join(' '),
              excerpt: excerpt.slice(0, 60).replaceAll('\n', ' '),
            })),
          ),
    );
  });
}

const toPage = ({ before, limit }: ListOptions) => ({ limit, maxId: before, sinceId: undefined, minId: undefined });

function parseRuleId(id: string): ModerationRuleId {
  if (!isId(id)) throw new CliError(`Unknown moderation rule: ${id}`);
  return id;
}

const rethrowUnknown =
  (id: string | undefined) =>
  (error: unknown): never => {
    if (isNotFound(error)) throw new CliError(`Unknown moderation rule: ${id}`);
    if (error instanceof HttpError) throw new CliError(error.message);
    throw error;
  };

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
}
