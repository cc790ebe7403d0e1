import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error It runs before any package is installed, so it has no types.
import { compileCache, root } from '../../bin/bootstrap.mjs';
// @ts-expect-error As above.
import { openBundle } from '../../bin/bundle/open-bundle.mjs';
import { createMigratedDatabase } from './database.ts';
import { DatabaseInstallation } from './database-installation.ts';

// Other tests start `account`, `backup`, `db` and `serve` as processes.
test('a command of each group runs as a process', async () => {
  await using database = await createMigratedDatabase();
  await using installation = new DatabaseInstallation(database);
  for (const [line, output] of [
    ['site show', /^title +\S/m],
    ['ip-block list', /^No IP address is blocked\.$/m],
    ['emoji list', /^There are no such custom emojis\.$/m],
    ['search reindex', /^.+$/m],
    ['jobs status', /^.+$/m],
    ['doctor', /ok\S* +database/],
  ] as const) {
    const { code, stdout, stderr } = await installation.run(line.split(' ')).exited;
    expect([code, stderr.includes('    at ') ? stderr : ''], line).toEqual([0, '']);
    expect(stdout, line).toMatch(output);
  }
});

/** Code for --import: prints the URLs of all modules at the end of the process. */
const printModules = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const urls = [];
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
  process.on('exit', () => writeSync(2, JSON.stringify(urls)));`;

test('the bundle is ASCII, because Node needs two bytes for each character of a file that is not', () => {
  const { build } = openBundle(root, compileCache);
  const files = readdirSync(build).filter((name) => name.endsWith('.mjs'));
  expect(files.filter((name) => /[^\0-\x7f]/.test(readFileSync(join(build, name), 'utf8')))).toEqual([]);
});

test('a command loads from the sources and from the bundle only what it needs', async () => {
  await using database = await createMigratedDatabase();
  await using installation = new DatabaseInstallation(database);
  const bundle = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(printModules)}` };
  const sources = { ...bundle, NODE_COMPILE_CACHE: join(installation.folder, 'cache') };
  const loadedBy = async (line: string, settings: Record<string, string>): Promise<string[]> => {
    const { code, stderr } = await installation.run(line.split(' '), settings).exited;
    expect(code, `${line}: ${stderr}`).toBe(0);
    return JSON.parse(stderr) as string[];
  };
  const packagesOf = (urls: readonly string[]): string[] =>
    urls.map((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? '').filter((name) => name !== '');
  for (const line of [
    '--version',
    '--help',
    'serve --help',
    'account create --help',
    'admin-webhook --help',
    'announcement --help',
    'appeal --help',
    'held-post --help',
    'report --help',
    'feeds --help',
    'search --help',
  ]) {
    const urls = await loadedBy(line, sources);
    const packages = new Set(packagesOf(urls));
    for (const large of ['kysely', 'typebox']) expect(packages, line).not.toContain(large);
    expect(urls.length, line).toBeLessThan(150);
  }
  // The server imports Fastify.
  for (const [settings, lines] of [
    [sources, ['account list', 'site show', 'rules list', 'jobs status']],
    [bundle, ['account list', 'rules list', 'jobs status']],
  ] as const)
    for (const line of lines)
      expect(new Set(packagesOf(await loadedBy(line, settings))), line).not.toContain('fastify');
  expect(new Set(packagesOf(await loadedBy('account list', sources)))).not.toContain('typebox');
});
