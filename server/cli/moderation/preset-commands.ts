import type { Command } from 'commander';
import {
  createPreset,
  deletePreset,
  listPresets,
  updatePreset,
  type PresetContent,
} from '../../moderation/presets/index.ts';
import type { App } from '../../platform/app.ts';
import { isId, type Id } from '../../platform/ids.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';

type PresetId = Id<'warning-preset'>;

export function addPresetCommands(group: Command): void {
  group
    .command('list')
    .description('List the texts by title')
    .option(...jsonOption)
    .action(list);
  group
    .command('add <title> <text>')
    .description('Store a text for --preset of account warn, sensitize, disable, silence and suspend')
    .option(...jsonOption)
    .action(add);
  group
    .command('edit <id>')
    .description('Change a text; decisions keep the one that they had')
    .option('--title <title>', 'new title')
    .option('--text <text>', 'new text')
    .option(...jsonOption)
    .action(edit);
  group
    .command('delete <id>')
    .description('Delete a text; decisions keep it')
    .option(...jsonOption)
    .action(remove);
}

async function list(options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const presets = await listPresets(app);
    print(options, presets, () =>
      presets.length === 0 ? ['No texts are stored.'] : formatTable(presets.map((preset) => ({ ...preset }))),
    );
  });
}

async function add(title: string, text: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const preset = await createPreset(app, 'system', { title, text });
    print(options, preset, () => [`Stored the text ${preset.id}.`]);
  });
}

async function edit(id: string, { title, text, ...options }: OutputOptions & Partial<PresetContent>): Promise<void> {
  if (title === undefined && text === undefined) throw new CliError('Pass --title or --text.');
  const changes = { ...(title !== undefined && { title }), ...(text !== undefined && { text }) };
  await change(id, options, (app, presetId) => updatePreset(app, 'system', { id: presetId, ...changes }), 'changed');
}

const remove = (id: string, options: OutputOptions): Promise<void> =>
  change(id, options, (app, presetId) => deletePreset(app, 'system', presetId), 'deleted');

async function change(
  id: string,
  options: OutputOptions,
  run: (app: App, id: PresetId) => Promise<unknown>,
  done: string,
): Promise<void> {
  if (!isId(id)) throw new CliError(`Not the id of a text: ${id}. See: fieldfare preset list`);
  await withCommandApp(options, async (app) => {
    await run(app, id).catch((error: unknown) => {
      if (isNotFound(error)) throw new CliError(`Unknown text: ${id}`);
      throw error;
    });
    print(options, { id }, () => [`The text ${id} is ${done}.`]);
  });
}
