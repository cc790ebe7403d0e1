import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import type { Command } from 'commander';
import { addEmoji, listAllEmojis, isShortcode, deleteEmoji, setEmojiDisabled } from '../../emojis/index.ts';
import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { CliError } from '../cli-error.ts';
import { withApp } from '../open/open-app.ts';
import { commandLog, jsonOption, print, formatTable, type OutputOptions } from '../output.ts';
import { extractArchive, type ExtractedFile } from './extract-archive.ts';
import { commandConfig } from '../command-config.ts';

interface AddOptions extends OutputOptions {
  readonly category?: string;
  readonly unlisted?: boolean;
  readonly overwrite?: boolean;
}

interface ImportOptions extends AddOptions {
  readonly prefix: string;
}

const imageExtensions = new Set(['.png', '.gif', '.webp']);
/** Larger images are skipped without being extracted. */
const maxImageBytes = 262_144;

export function addEmojiCommands(program: Command): void {
  const group = program.command('emoji').description('Manage custom emojis');
  const adding = (command: Command): Command =>
    command
      .option('--category <name>', 'category in the emoji picker')
      .option('--unlisted', 'hide it from the emoji picker')
      .option('--overwrite', 'replace an emoji with the same name')
      .option(...jsonOption);
  adding(group.command('add <shortcode> <file>').description('Add an emoji: PNG, GIF or WebP, at most 256 KB')).action(
    add,
  );
  adding(
    group.command('import <path>').description('Add every image of a folder, tar or zip archive, named by its file'),
  )
    .option('--prefix <text>', 'prefix of each name', '')
    .action(importEmojiPack);
  group
    .command('list')
    .description('List the custom emojis')
    .option(...jsonOption)
    .action(list);
  const each = (name: string, description: string, run: (app: App, shortcode: string) => Promise<void>): void => {
    group
      .command(`${name} <shortcodes...>`)
      .description(description)
      .option(...jsonOption)
      .action(async (names: string[], options: OutputOptions) => {
        const shortcodes = names.map((written) => written.replaceAll(':', ''));
        await withApp(commandConfig(), commandLog(), async (app) => {
          for (const shortcode of shortcodes) await run(app, shortcode);
        });
        print(options, { shortcodes }, () => []);
      });
  };
  each('delete', 'Delete emojis', (app, shortcode) => deleteEmoji(app, 'system', shortcode));
  each('disable', 'Show shortcodes instead of these emojis', (app, shortcode) =>
    setEmojiDisabled(app, 'system', { shortcode, disabled: true }),
  );
  each('enable', 'Show disabled emojis again', (app, shortcode) =>
    setEmojiDisabled(app, 'system', { shortcode, disabled: false }),
  );
}

async function add(shortcode: string, file: string, options: AddOptions): Promise<void> {
  await stat(file).catch(() => {
    throw new CliError(`There is no file ${file}.`);
  });
  await withApp(commandConfig(), commandLog(), (app) =>
    addEmoji(app, 'system', { ...toEmojiOptions(options), shortcode, path: file }),
  );
  print(options, { shortcode }, () => [`Added :${shortcode}:.`]);
}

const toEmojiOptions = ({ category, unlisted, overwrite }: AddOptions) => ({
  category,
  visibleInPicker: unlisted !== true,
  replace: overwrite,
});

async function importEmojiPack(path: string, options: ImportOptions): Promise<void> {
  const files = await loadEmojiPack(path);
  const added: string[] = [];
  const skipped: { name: string; reason: string }[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'fieldfare-emojis-'));
  try {
    await withApp(commandConfig(), commandLog(), async (app) => {
      for (const { name, body } of files) {
        const shortcode = `${options.prefix}${parse(name).name}`;
        const file = join(folder, 'image');
        await writeFile(file, body);
        const reason =
          body.length === 0 ? 'it is empty or too large' : await tryAddEmoji(app, shortcode, file, options);
        if (reason === undefined) added.push(shortcode);
        else skipped.push({ name, reason });
      }
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  print(options, { added, skipped }, () => [
    ...skipped.map(({ name, reason }) => `${name}: ${reason}`),
    `${added.length} added, ${skipped.length} skipped.`,
  ]);
}

/** Returns the reason why it was not added; undefined if it was. */
async function tryAddEmoji(
  app: App,
  shortcode: string,
  file: string,
  options: AddOptions,
): Promise<string | undefined> {
  if (!isShortcode(shortcode)) return 'the name may only have letters, digits and underscores';
  try {
    await addEmoji(app, 'system', { ...toEmojiOptions(options), shortcode, path: file });
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error.message;
    throw error;
  }
}

async function loadEmojiPack(path: string): Promise<ExtractedFile[]> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined) throw new CliError(`There is no file or folder ${path}.`);
  const isImage = (name: string): boolean => imageExtensions.has(parse(name).ext.toLowerCase());
  if (!facts.isDirectory()) {
    const isWanted = (name: string): boolean => isImage(name) && !parse(name).name.startsWith('.');
    return extractArchive(await readFile(path), { isWanted, maxFileBytes: maxImageBytes });
  }
  const files: ExtractedFile[] = [];
  for (const name of (await readdir(path)).filter(isImage).toSorted()) {
    files.push({ name, body: await readFile(join(path, name)) });
  }
  return files;
}

async function list(options: OutputOptions): Promise<void> {
  await withApp(commandConfig(), commandLog(), async (app) => {
    const emojis = (await listAllEmojis(app)).map(
      ({ shortcode, category, visible_in_picker, disabled, created_at }) => ({
        shortcode,
        category,
        listed: visible_in_picker,
        disabled,
        created_at,
      }),
    );
    print(options, emojis, () => (emojis.length === 0 ? ['There are no custom emojis yet.'] : formatTable(emojis)));
  });
}
