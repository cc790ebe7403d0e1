import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { Browser } from '../browser.ts';
import { callServer } from '../clients/real-server.ts';
import { findFreePort } from '../free-port.ts';
import { Image } from './image.ts';

const containerfile = 'deploy/containers/Containerfile';

/** Returns the address of each script, style and image that a page names, from the same server. */
const listFiles = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg|png|webmanifest))"/g)].map(([, path = '']) => path);

/** Returns paths from the root of the project that modules of the server name by their place, but that are not in server/. */
function listPathsOutside(root: string): string[] {
  const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' });
  const modules = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return modules.flatMap((file) => {
    const path = join(root, 'server', file);
    const source = readFileSync(path, 'utf8');
    const addresses = [...source.matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g)];
    const named = addresses.map(([, address = '']) => fileURLToPath(new URL(address, pathToFileURL(path))));
    const joined = [...source.matchAll(/join\(import\.meta\.dirname, ((?:'\.\.'(?:, )?)+)/g)];
    const folders = joined.map(([, steps = '']) => join(dirname(path), ...[...steps.matchAll(/\.\./g)].map(String)));
    return [...named, ...folders].map((found) => relative(root, found)).filter((found) => !found.startsWith('server'));
  });
}

/** Returns size and time of each file in a folder, by path. */
function listContents(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const { size, mtimeMs } = statSync(join(entry.parentPath, entry.name));
      return [relative(folder, join(entry.parentPath, entry.name)), `${size} ${mtimeMs}`];
    }),
  );
}

test('a release runs where it was moved to, with all files that its pages name, and changes nothing in itself', async () => {
  await using image = new Image(containerfile);
  image.build();
  const paths = listPathsOutside(join(import.meta.dirname, '..', '..'));
  expect(paths).toContain('web/dist');
  expect(paths.filter((path) => path !== '' && !existsSync(join(image.path, path)))).toEqual([]);
  const contents = listContents(image.path);
  const bytes = [...contents.values()].reduce((sum, fact) => sum + Number(fact.split(' ')[0]), 0);
  expect(bytes).toBeLessThan(400 * 1024 * 1024);
  const packages = new Set([...contents.keys()].map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
  expect(['rolldown', 'vite', 'node-av', 'typescript', 'vitest'].filter((name) => packages.has(name))).toEqual([]);
  expect(readFileSync(join(image.path, 'THIRD-PARTY.md'), 'utf8')).toMatch(/^\| fastify \| 5\S+ \| MIT \|$/m);

  const port = await findFreePort();
  expect(image.checkHealth(port)).toBe(1);
  writeFileSync(join(image.dataDir, '.env'), 'LIMITED_FEDERATION=on\n');
  const server = await image.start(port);
  expect(image.checkHealth(port)).toBe(0);
  image.runCli(
    'account',
    'create',
    'wilma',
    '--email',
    'wilma@mail.test',
    '--password',
    'correct horse battery',
    '--confirmed',
  );
  const browser = new Browser({ call: (...args) => callServer(`http://localhost:${port}`, ...args) });
  await browser.open('/');
  expect(browser.text).toContain('</html>');
  await browser.signIn('wilma@mail.test');
  await browser.open('/explore');
  const files = listFiles(browser.text);
  expect(files.filter((path) => path.startsWith('/web/assets/')).length).toBeGreaterThan(2);
  for (const path of [...new Set(files), '/sw.js', '/api/docs', '/avatars/original/missing.png']) {
    await browser.open(path);
    expect([path, browser.status]).toEqual([path, 200]);
  }
  expect(server.stderr).not.toContain('web client');
  expect(server.stdout).toContain('Commands         fieldfare help');
  const response = await fetch(`http://localhost:${port}/api/v2/instance`);
  expect(await response.json()).toMatchObject({ configuration: { limited_federation: true } });
  await server.kill('SIGTERM');
  // What Node compiled may be added.
  const changed = [...listContents(image.path)].filter(([path, fact]) => contents.get(path) !== fact);
  expect(changed.filter(([path]) => !path.startsWith('node_modules/.cache/fieldfare/v'))).toEqual([]);
});
