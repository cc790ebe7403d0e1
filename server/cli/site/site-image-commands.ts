import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import type { App } from '../../platform/app.ts';
import { loadIcons, loadThumbnail, resetSiteImage, setSiteImage } from '../../instance/images/index.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { jsonOption, print, type OutputOptions } from '../output.ts';

type ImageName = 'thumbnail' | 'icon';

const nameArgument = (): Argument =>
  new Argument('<name>', 'thumbnail (for lists of servers) or icon').choices(['thumbnail', 'icon']);

/** Adds the commands for the images of the site to the group `site`. */
export function addSiteImageCommands(group: Command): void {
  group
    .command('image')
    .description('Replace the thumbnail or the icon of the site by a JPEG, PNG, WebP, AVIF or HEIC file')
    .addArgument(nameArgument())
    .argument('<file>', 'the image, cropped to 1200 by 630 (thumbnail) or a square (icon)')
    .option('--description <text>', 'alternative text')
    .option(...jsonOption)
    .action(setImage);
  group
    .command('reset-image')
    .description('Return to the bundled thumbnail or icon')
    .addArgument(nameArgument())
    .option(...jsonOption)
    .action(resetImage);
}

async function setImage(
  name: ImageName,
  file: string,
  { description, ...options }: OutputOptions & { readonly description?: string },
): Promise<void> {
  const path = resolve(options.shell.cwd, file);
  await stat(path).catch(() => {
    throw new CliError(`There is no file ${file}.`);
  });
  await run(name, options, (app) => setSiteImage(app, 'system', name, { path, description }));
}

async function resetImage(name: ImageName, options: OutputOptions): Promise<void> {
  await run(name, options, (app) =>
    resetSiteImage(app, 'system', name).catch((error: unknown) => {
      if (isNotFound(error)) throw new CliError(`The bundled ${name} is in use.`);
      throw error;
    }),
  );
}

/** Changes an image, then prints its addresses. */
async function run(name: ImageName, options: OutputOptions, change: (app: App) => Promise<void>): Promise<void> {
  await withCommandApp(options, async (app) => {
    await change(app);
    const addresses = name === 'thumbnail' ? (await loadThumbnail(app)).versions : toAddresses(await loadIcons(app));
    print(options, addresses, () => Object.entries(addresses).map(([version, url]) => `${version.padEnd(8)} ${url}`));
  });
}

const toAddresses = (icons: readonly { readonly src: string; readonly size: string }[]): Record<string, string> =>
  Object.fromEntries(icons.map(({ src, size }) => [size, src]));
