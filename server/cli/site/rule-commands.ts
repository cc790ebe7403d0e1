import { InvalidArgumentError, type Command } from 'commander';
import {
  addRule,
  deleteRule,
  deleteRuleTranslation,
  editRule,
  listRules,
  moveRule,
  translateRule,
  type CurrentRule,
} from '../../site/rules/index.ts';
import type { App } from '../../platform/app.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { jsonOption, print, formatTable, type OutputOptions } from '../output.ts';
import { parsePositiveInteger } from '../parse-options.ts';

interface RuleOptions extends OutputOptions {
  readonly text?: string;
  readonly hint?: string;
  readonly position?: number;
}

export function addRuleCommands(group: Command): void {
  const details = (command: Command): Command =>
    command
      .option('--hint <text>', 'further explanation; empty to remove it')
      .option(
        '--position <number>',
        'sort key: rules are listed by position, then by age; by default at the end',
        parsePosition,
      )
      .option(...jsonOption);
  details(group.command('add <text>').description('Add a rule to the list')).action(
    (text: string, options: RuleOptions) => run(options, async (app) => addRule(app, 'system', { ...options, text })),
  );
  details(group.command('edit <id>').description('Change a rule').option('--text <text>', 'the new text')).action(
    (id: string, options: RuleOptions) =>
      run(options, async (app) => {
        await editRule(app, 'system', id, options).catch(rethrowUnknownRule(id));
        return id;
      }),
  );
  group
    .command('move')
    .description('Move a rule to a place in the list, of which the first is 1')
    .argument('<id>', 'see rules list')
    .argument('<place>', 'the new place', parsePositiveInteger)
    .option(...jsonOption)
    .action((id: string, place: number, options: OutputOptions) =>
      run(options, async (app) => {
        await moveRule(app, 'system', id, place).catch(rethrowUnknownRule(id));
        return id;
      }),
    );
  group
    .command('delete <id>')
    .description('Delete a rule')
    .option(...jsonOption)
    .action((id: string, options: OutputOptions) =>
      run(options, async (app) => {
        await deleteRule(app, 'system', id).catch(rethrowUnknownRule(id));
        return id;
      }),
    );
  group
    .command('translate <id> <language> [text]')
    .description('Add or replace the translation of a rule; without a text, delete it')
    .option('--hint <text>', 'translation of the further explanation')
    .option(...jsonOption)
    .action((id: string, language: string, text: string | undefined, options: RuleOptions) =>
      run(options, async (app) => {
        await translate(app, id, language, { ...options, text }).catch(rethrowUnknownRule(id));
        return id;
      }),
    );
  group
    .command('list')
    .description('List the rules in their order')
    .option(...jsonOption)
    .action((options: OutputOptions) => withReadingApp(options, (app) => printRules(app, options)));
}

/** Runs a change, then prints all rules; as JSON also the id of the changed rule. */
async function run(options: OutputOptions, change: (app: App) => Promise<string>): Promise<void> {
  await withCommandApp(options, async (app) => {
    await printRules(app, options, await change(app));
  });
}

async function printRules(app: App, options: OutputOptions, id?: string): Promise<void> {
  const rules = await listRules(app);
  print(options, id === undefined ? rules : { id, rules }, () =>
    rules.length === 0 ? ['There are no rules.'] : formatTable(rules.map(toRow)),
  );
}

const toRow = ({ translations, ...rule }: CurrentRule) => ({ ...rule, languages: Object.keys(translations).join(' ') });

async function translate(
  app: App,
  id: string,
  language: string,
  { text, hint = '' }: { readonly text: string | undefined; readonly hint?: string },
): Promise<void> {
  if (text !== undefined) return translateRule(app, 'system', id, { language, text, hint });
  await deleteRuleTranslation(app, 'system', id, language).catch((error: unknown) => {
    if (isNotFound(error)) throw new CliError(`Rule ${id} has no translation: ${language}`);
    throw error;
  });
}

const rethrowUnknownRule =
  (id: string) =>
  (error: unknown): never => {
    if (isNotFound(error)) throw new CliError(`Unknown rule: ${id}`);
    throw error;
  };

function parsePosition(text: string): number {
  const position = Number(text);
  if (!Number.isInteger(position) || Math.abs(position) > 1_000_000) {
    throw new InvalidArgumentError('It must be a whole number.');
  }
  return position;
}
