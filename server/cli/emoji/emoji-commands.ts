import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import type { Command } from 'commander';
import { isShortcode } from '../../emojis/index.ts';
import {
  addEmoji,
  copyEmoji,
  deleteEmoji,
  findEmojiReference,
  listEmojisForStaff,
  listLocalImages,
  purgeEmojis,
  setEmojiDisabled,
  updateEmoji,
  type EmojiReference,
} from '../../emojis/manage/index.ts';
import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { CliError } from '../cli-error.ts';
import type { CommandOptions } from '../shell.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { jsonOption, print, formatTable, type OutputOptions } from '../output.ts';
import { requireDomain } from '../require-domain.ts';
import { extractArchive, type ExtractedFile } from './extract-archive.ts';
import { parseLimit } from '../parse-options.ts';

interface AddOptions extends OutputOptions {
  readonly category?: string;
  readonly unlisted?: boolean;
  readonly overwrite?: boolean;
}

interface EditOptions extends OutputOptions {
  readonly category?: string;
  readonly listed?: boolean;
  readonly image?: string;
}

interface CopyOptions extends OutputOptions {
  readonly category: string;
}

interface ListOptions extends OutputOptions {
  readonly remote?: boolean;
  readonly domain?: string;
  readonly shortcode?: string;
  readonly disabled?: boolean;
  readonly limit: number;
}

interface ExportOptions extends OutputOptions {
  readonly category?: string;
}

interface PurgeOptions extends OutputOptions {
  readonly local?: boolean;
  readonly remote?: boolean;
  readonly domain?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

interface ImportOptions extends AddOptions {
  readonly prefix: string;
}

const imageExtensions = new Set(['.png', '.gif', '.webp']);
/** Larger images are skipped without being extracted. */
const maxImageBytes = 262_144;

export function addEmojiCommands(group: Command): void {
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
    .command('export <folder>')
    .description('Write the images of the local emojis into an empty folder, named by their shortcodes')
    .option('--category <name>', 'only those of this category; empty for those without')
    .option(...jsonOption)
    .action(exportEmojis);
  group
    .command('edit <shortcode>')
    .description('Change a local emoji')
    .option('--category <name>', 'category in the emoji picker; empty for none')
    .option('--listed', 'show it in the emoji picker')
    .option('--no-listed', 'hide it from the emoji picker')
    .option('--image <file>', 'the new image')
    .option(...jsonOption)
    .action(edit);
  group
    .command('copy <emoji>')
    .description('Copy a remote emoji, such as bird@example.org, to a local one; a job of the server fetches its image')
    .option('--category <name>', 'category in the emoji picker', '')
    .option(...jsonOption)
    .action(copy);
  group
    .command('list')
    .description('List the local custom emojis, newest first')
    .option('--remote', 'list remote ones instead')
    .option('--domain <domain>', 'list those of this domain')
    .option('--shortcode <text>', 'only those whose shortcode begins so')
    .option('--disabled', 'only disabled ones')
    .option('--limit <number>', 'maximum number', parseLimit, 1_000)
    .option(...jsonOption)
    .action(list);
  group
    .command('purge')
    .description('Delete all local emojis, all remote ones, or those of one domain')
    .option('--local', 'the local ones, with their images')
    .option('--remote', 'the remote ones. One comes back with the next post that uses it')
    .option('--domain <domain>', 'those of this domain')
    .option('--dry-run', 'only count them')
    .option('--yes', 'confirm; this cannot be undone')
    .option(...jsonOption)
    .action(purge);
  type Change = (app: App, reference: EmojiReference) => Promise<void>;
  const each = (name: string, description: string, run: Change): void => {
    group
      .command(`${name} <emojis...>`)
      .description(description)
      .option(...jsonOption)
      .action(async (names: string[], options: OutputOptions) => {
        const shortcodes = names.map((written) => written.replaceAll(':', ''));
        await withCommandApp(options, async (app) => {
          for (const shortcode of shortcodes) await run(app, await findEmojiReference(app, shortcode));
        });
        print(options, { shortcodes }, () => []);
      });
  };
  each('delete', 'Delete local emojis', (app, reference) => deleteEmoji(app, 'system', reference));
  each('disable', 'Show shortcodes instead of these emojis, local or remote (name@domain)', (app, reference) =>
    setEmojiDisabled(app, 'system', { ...reference, disabled: true }),
  );
  each('enable', 'Show disabled emojis again', (app, reference) =>
    setEmojiDisabled(app, 'system', { ...reference, disabled: false }),
  );
}

async function add(shortcode: string, file: string, options: AddOptions): Promise<void> {
  const path = await findFile(options, file);
  await withCommandApp(options, (app) => addEmoji(app, 'system', { ...toEmojiOptions(options), shortcode, path }));
  print(options, { shortcode }, () => [`Added :${shortcode}:.`]);
}

/** Returns the absolute path of a file that the user named. Throws CliError if it is missing. */
async function findFile({ shell }: CommandOptions, file: string): Promise<string> {
  const path = resolve(shell.cwd, file);
  await stat(path).catch(() => {
    throw new CliError(`There is no file ${file}.`);
  });
  return path;
}

async function edit(written: string, { category, listed, image, ...options }: EditOptions): Promise<void> {
  const shortcode = written.replaceAll(':', '');
  const path = image === undefined ? undefined : await findFile(options, image);
  await withCommandApp(options, (app) =>
    updateEmoji(app, 'system', { shortcode }, { category, visibleInPicker: listed, path }),
  );
  print(options, { shortcode }, () => [`Changed :${shortcode}:.`]);
}

async function copy(written: string, { category, ...options }: CopyOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const reference = await findEmojiReference(app, written);
    if (!('id' in reference)) throw new CliError(`Write the emoji with its domain, such as ${written}@example.org.`);
    await copyEmoji(app, 'system', { id: reference.id, category });
  });
  print(options, { emoji: written }, () => [`${written} is being copied.`]);
}

async function purge({ local, remote, domain, dryRun = false, yes, ...options }: PurgeOptions): Promise<void> {
  const [of, ...more] = [
    ...(local === true ? (['local'] as const) : []),
    ...(remote === true ? (['remote'] as const) : []),
    ...(domain === undefined ? [] : [{ domain: requireDomain(domain) }]),
  ];
  if (of === undefined || more.length > 0) throw new CliError('Pass one of --local, --remote and --domain.');
  if (!dryRun && yes !== true) throw new CliError('This cannot be undone. To confirm, add --yes.');
  await withCommandApp(options, async (app) => {
    const purged = await purgeEmojis(app, 'system', { of, dryRun });
    print(options, { purged }, () => [`${dryRun ? 'It would delete' : 'Deleted'} ${purged} emojis.`]);
  });
}

const toEmojiOptions = ({ category, unlisted, overwrite }: AddOptions) => ({
  category,
  visibleInPicker: unlisted !== true,
  replace: overwrite,
});

async function importEmojiPack(path: string, options: ImportOptions): Promise<void> {
  const files = await loadEmojiPack(options, path);
  const added: string[] = [];
  const skipped: { name: string; reason: string }[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'fieldfare-emojis-'));
  try {
    await withCommandApp(options, async (app) => {
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

async function exportEmojis(named: string, { category, ...options }: ExportOptions): Promise<void> {
  const folder = resolve(options.shell.cwd, named);
  const existing = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CliError(`${named} is not a folder that can be read.`);
  });
  if (existing.length > 0) throw new CliError(`The folder ${named} is not empty.`);
  await mkdir(folder, { recursive: true });
  const missing: string[] = [];
  const images = await withReadingApp(options, async (app) => {
    const found = await listLocalImages(app, category);
    for (const { shortcode, imageKey } of found) {
      const path = join(folder, `${shortcode}${parse(imageKey).ext}`);
      if (!(await app.storage.copyTo(imageKey, path))) missing.push(shortcode);
    }
    return found;
  });
  const exported = images.map(({ shortcode }) => shortcode).filter((shortcode) => !missing.includes(shortcode));
  print(options, { exported, missing }, () => [
    ...missing.map((shortcode) => `:${shortcode}: has no image any more.`),
    `${exported.length} exported to ${folder}.`,
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

async function loadEmojiPack({ shell }: CommandOptions, named: string): Promise<ExtractedFile[]> {
  const path = resolve(shell.cwd, named);
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined) throw new CliError(`There is no file or folder ${named}.`);
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

async function list({ remote, domain, shortcode, disabled, limit, ...options }: ListOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const page = { limit, maxId: undefined, sinceId: undefined, minId: undefined };
    const filters = {
      origin: remote === true || domain !== undefined ? ('remote' as const) : ('local' as const),
      state: disabled === true ? ('disabled' as const) : undefined,
      domain: domain === undefined ? undefined : requireDomain(domain),
      shortcode,
    };
    const emojis = (await listEmojisForStaff(app, page, filters)).emojis.map((emoji) => ({
      shortcode: emoji.shortcode,
      ...(filters.origin === 'remote' && { domain: emoji.domain }),
      category: emoji.category,
      listed: emoji.visible_in_picker,
      disabled: emoji.disabled,
      created_at: emoji.created_at,
    }));
    print(options, emojis, () => (emojis.length === 0 ? ['There are no such custom emojis.'] : formatTable(emojis)));
  });
}
