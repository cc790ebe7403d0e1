import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { routes, workers } from '../server/app.ts';

/** Lower may not import higher. A new domain takes its place in this list. */
const layers = [
  'platform',
  'text',
  'site',
  'media',
  'emojis',
  'accounts',
  'users',
  'oauth',
  'relationships',
  'tags',
  'collections',
  'cards',
  'polls',
  'quotes',
  'statuses',
  'conversations',
  'lists',
  'timelines',
  'notifications',
  'announcements',
  'trends',
  'translation',
  'moderation',
  'federation',
  'profiles',
  'search',
  'instance',
  'pages',
  'cli',
];

/** The one place where the platform names the domains, for types only. */
const exceptions = new Set(['server/platform/database/tables.ts']);
/** What puts the domains together. */
const composition = new Set(['server/app.ts', 'server/main.ts']);

const importPattern = /^(?:import|export)\s(?:[^'";]*?\sfrom\s)?'(\.[^']+)';$/gm;

const domainOf = (file: string): string | undefined => /^server\/([^/]+)\//.exec(file)?.[1];
const sources = globSync('server/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
const read = (file: string): string => readFileSync(file, 'utf8');

function violations(file: string): string[] {
  const from = domainOf(file);
  if (from === undefined || exceptions.has(file)) return [];
  return [...read(file).matchAll(importPattern)].flatMap(([, specifier = '']) => {
    const target = normalize(join(dirname(file), specifier));
    const to = domainOf(target);
    if (from === 'cli' && composition.has(target)) return [];
    if (to === undefined) return [`${file}: domains may not import ${target}`];
    if (to === from) return [];
    if (layers.indexOf(to) > layers.indexOf(from)) return [`${file}: ${from} may not import ${to}, which is above it`];
    if (to !== 'platform' && !target.endsWith('/index.ts')) return [`${file}: import ${to}/index.ts, not ${target}`];
    return [];
  });
}

test('imports point down the list of layers, and enter a domain by its index.ts', () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap(violations)).toEqual([]);
});

test('every domain folder has its place in the list, and says in the first line of its index.ts what it is', () => {
  const folders = globSync('server/*/').map((folder) => folder.split('/')[1] ?? '');
  expect(new Set(folders)).toEqual(
    new Set([...layers, 'assets'].filter((layer) => folders.includes(layer) || layer !== 'assets')),
  );
  for (const layer of layers.filter((name) => name !== 'platform' && name !== 'cli')) {
    expect(read(`server/${layer}/index.ts`), layer).toMatch(/^(?:\/\/|\/\*\*) \S/);
  }
});

/** Tables by the domain that owns them, as their tables.ts says. */
function tableOwners(): Map<string, string> {
  const owners = new Map<string, string>();
  for (const file of globSync('server/**/tables.ts')) {
    const owner = domainOf(file) ?? '';
    const interfaces = read(file).matchAll(/export interface \w+Tables \{\n([\s\S]*?)\n\}/g);
    for (const [, body = ''] of interfaces) {
      for (const [, table = ''] of body.matchAll(/^ {2}(\w+):/gm)) owners.set(table, owner);
    }
  }
  return owners;
}

test('only the owner of a table writes to it', () => {
  const owners = tableOwners();
  expect(owners.size).toBeGreaterThan(30);
  const writes = /(?:insertInto|updateTable|deleteFrom)\('(\w+)|(?:insert into|update|delete from)\s+(\w+)\s/g;
  const strangers = sources
    // The command line makes demonstration data in bulk, past the use cases.
    .filter((file) => !file.startsWith('server/cli/') && file !== 'server/platform/database/migrate.ts')
    .flatMap((file) =>
      [...read(file).matchAll(writes)].flatMap(([, built, raw]) => {
        const table = built ?? raw ?? '';
        const owner = owners.get(table);
        return owner === undefined || owner === domainOf(file) ? [] : [`${file} writes to ${table} of ${owner}`];
      }),
    );
  expect(strangers).toEqual([]);
});

test('every change of a counter raises the version of its row (docs/decisions/0028)', () => {
  const changes = sources
    .filter((file) => !file.startsWith('server/cli/'))
    .flatMap((file) => [...read(file).matchAll(/update (?:status|account)_stats[^`]*|into status_stats[^`]*/g)])
    .map(([statement]) => statement);
  expect(changes.length).toBeGreaterThan(8);
  expect(changes.filter((statement) => !/version = (?:\w+\.)?version \+ 1/.test(statement))).toEqual([]);
});

const hole = String.raw`[^\s'"\`/?]+`;

/**
 * A path as tests write it: whole, its end after a part that a test fills in (`${url}/pin`), or its last word alone, which
 * the test puts in (`for (const verb of ['endorse', 'unendorse'])`).
 */
function calls(path: string): RegExp {
  const parts = path.split('/').map((part) => {
    if (part === '*' || part.startsWith(':')) return hole;
    return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, hole);
  });
  const lastHole = parts.lastIndexOf(hole);
  const end = lastHole === parts.length - 1 ? parts.slice(-2) : parts.slice(Math.max(lastHole + 1, parts.length - 2));
  const ways = [parts.join('/'), String.raw`\}/${end.join('/')}`];
  const last = parts.at(-1);
  if (last !== hole) ways.push(String.raw`\}/${last}`, `'${last}'`);
  return new RegExp(String.raw`(?:${ways.join('|')})(?=[\s'"\`?/)#&,\]]|$)`, 'm');
}

test('every route is called by a test', () => {
  const tests = globSync('test/**/*.ts').map(read).join('\n');
  const untested = routes.map(({ path }) => path).filter((path) => !calls(path).test(tests));
  expect([...new Set(untested)]).toEqual([]);
});

test('no two routes answer the same method and path, and every one is summed up in a line', () => {
  const names = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  for (const { path, options } of routes) expect(options.summary, path).toMatch(/^\S.{2,120}$/);
});

test('every API route that a user calls names its scope', () => {
  const open = new Set([
    '/api/v1/apps/verify_credentials',
    '/api/v1/accounts/:id/identity_proofs',
    '/api/v1/announcements',
  ]);
  const unscoped = routes.filter(
    ({ path, options }) =>
      (options.access === 'user' || options.access.startsWith('staff:')) &&
      options.scope === undefined &&
      !open.has(path),
  );
  expect(unscoped.map(({ path }) => path)).toEqual([]);
});

test('time comes from the clock, and nothing waits by sleeping', () => {
  // Decoders run in processes of their own, which have no clock but the real one to be ended by.
  const allowed = /server\/(?:platform|cli|media\/decoding)\/|server\/main\.ts/;
  const strangers = sources.filter(
    (file) => !allowed.test(file) && /new Date\(\)|Date\.now\(\)|setTimeout\(/.test(read(file)),
  );
  expect(strangers).toEqual([]);
});

test('workers and stored names are unique', () => {
  const names = workers.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
