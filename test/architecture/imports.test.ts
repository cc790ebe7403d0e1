import { globSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importViolations, loaders } from './import-guard.ts';
import { layers, readSource, sourceFiles } from './layers.ts';

test('imports point down the list of layers, and enter a domain or a topic of it by an index.ts', () => {
  expect(sourceFiles.length).toBeGreaterThan(100);
  expect(sourceFiles.flatMap((file) => importViolations(file, readSource(file)))).toEqual([]);
});

test('every exception to the import rules is needed', () => {
  const needless = [...loaders.keys()].filter(
    (file) => !sourceFiles.includes(file) || importViolations(file, readSource(file), new Map()).length === 0,
  );
  expect(needless).toEqual([]);
});

test('the list contains every domain folder, and each has an index.ts', () => {
  const folders = globSync('server/*/').map((folder) => folder.split('/')[1] ?? '');
  expect(new Set(folders)).toEqual(new Set([...layers, ...folders.filter((folder) => folder === 'assets')]));
  for (const layer of layers.filter((name) => name !== 'platform' && name !== 'cli')) {
    expect(sourceFiles).toContain(`server/${layer}/index.ts`);
  }
});

test('docs/architecture.md lists every domain in its order, and every folder of the platform', () => {
  const listed = [...readSource('docs/architecture.md').matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name = '']) => name);
  expect(listed.filter((name) => layers.some((layer) => layer === name))).toEqual(layers);
  const folders = globSync('server/platform/*/').map((folder) => folder.split('/')[2] ?? '');
  expect(listed).toEqual(expect.arrayContaining(folders));
});

test('no file of the server is a symbolic link, which could hide an import', () => {
  const links = readdirSync('server', { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isSymbolicLink(),
  );
  expect(links.map(({ name }) => name)).toEqual([]);
});

/** Each line would let accounts (a low domain) reach statuses (a higher one) past a guard that matches text. */
const upward: string[] = [
  // Static imports and exports.
  `import { postStatus } from '../statuses/index.ts';`,
  `import { postStatus } from "../statuses/index.ts";`,
  `import {\n  postStatus,\n  // from './here.ts'\n  keepVisible,\n} from\n  '../statuses/index.ts';`,
  `import/* the */{ postStatus }/* use */from/* case */'../statuses/index.ts'`,
  `import '../statuses/index.ts';`,
  `  import '../statuses/index.ts'`,
  `import type { Status } from '../statuses/index.ts';`,
  `import { type Status } from '../statuses/index.ts';`,
  `import * as statuses from '../statuses/index.ts';`,
  `import statuses from '../statuses/index.ts';`,
  `import data from '../statuses/index.ts' with { type: 'json' };`,
  `export { postStatus } from '../statuses/index.ts';`,
  `export * from '../statuses/index.ts';`,
  `export * as statuses from '../statuses/index.ts';`,
  `export type { Status } from '../statuses/index.ts';`,
  `export type * from '../statuses/index.ts';`,
  `import { postStatus } from '../statuses/post-status.ts';`,
  `const a = 1; import { postStatus } from '../statuses/index.ts';`,
  // Specifiers that Node resolves to the same file.
  `import '../../server/statuses/index.ts';`,
  `import './../statuses/index.ts';`,
  `import '..//statuses/index.ts';`,
  `import '../x/../statuses/index.ts';`,
  String.raw`import '../\u0073tatuses/index.ts';`,
  String.raw`import '..\\statuses\\index.ts';`,
  `import '../st%61tuses/index.ts';`,
  `import '../statuses/index.ts?again';`,
  `import '../statuses/index.ts#again';`,
  `import '/server/statuses/index.ts';`,
  `import 'file:///server/statuses/index.ts';`,
  `import 'fieldfare/server/statuses/index.ts';`,
  `import '#statuses';`,
  `import 'kysely/../../server/statuses/index.ts';`,
  `import 'data:text/javascript,import("../statuses/index.ts")';`,
  // Dynamic imports.
  `const { postStatus } = await import('../statuses/index.ts');`,
  `await import(\`../statuses/index.ts\`);`,
  `await import(/* webpackIgnore */ '../statuses/index.ts');`,
  `await import\n(\n'../statuses/index.ts'\n);`,
  `await import('../statuses/index.ts' as string);`,
  `await import('../statuses/index.ts', { with: {} });`,
  `await import('../' + 'statuses/index.ts');`,
  `await import(\`../\${'statuses'}/index.ts\`);`,
  `const name = 'statuses'; await import(\`../\${name}/index.ts\`);`,
  `const path = '../statuses/index.ts'; await import(path);`,
  `await import(['..', 'statuses', 'index.ts'].join('/'));`,
  `await import(true ? '../statuses/index.ts' : '');`,
  `export const load = () => import('../statuses/index.ts').then(({ postStatus }) => postStatus);`,
  `await import(new URL('../statuses/index.ts', import.meta.url).href);`,
  `await import(import.meta.resolve('../statuses/index.ts'));`,
  `await import.defer('../statuses/index.ts');`,
  `await import.source('../statuses/index.ts');`,
  // Types.
  `type Status = import('../statuses/index.ts').Status;`,
  `const x = {} as import('../statuses/index.ts').Status;`,
  `type Statuses = typeof import('../statuses/index.ts');`,
  `declare module '../statuses/index.ts' { interface Status { own: boolean } }`,
  // CommonJS and loaders.
  `import statuses = require('../statuses/index.ts');`,
  `export import statuses = require('../statuses/index.ts');`,
  `import type statuses = require('../statuses/index.ts');`,
  `require('../statuses/index.ts');`,
  `import { createRequire } from 'node:module'; createRequire(import.meta.url)('../statuses/index.ts');`,
  `import { createRequire as load } from 'module'; load(import.meta.url)('../statuses/index.ts');`,
  `import module from 'node:module'; module.createRequire(import.meta.url);`,
  `process.getBuiltinModule('node:module').createRequire('/')('./server/statuses/index.ts');`,
  `process['getBuiltinModule']('node:module');`,
  `const { createRequire } = await import('node:module');`,
  `eval("import('../statuses/index.ts')");`,
  `globalThis.eval("import('../statuses/index.ts')");`,
  `new Function("return import('../statuses/index.ts')")();`,
  `(() => {}).constructor("return import('../statuses/index.ts')")();`,
  `/// <reference path="../statuses/tables.ts" />\nexport const a = 1;`,
  `import { runInThisContext } from 'node:vm';`,
  `import { Worker } from 'node:worker_threads'; new Worker(new URL('../statuses/index.ts', import.meta.url));`,
  // URLs of files.
  `export const file = new URL('../statuses/index.ts', import.meta.url);`,
  `export const file = new URL(\`../statuses/index.ts\`, import.meta.url);`,
  `export const folder = new URL('../statuses/', import.meta.url);`,
  `const name = '../statuses/index.ts'; export const file = new URL(name, import.meta.url);`,
  `export const file = import.meta.resolve('../statuses/index.ts');`,
  `export const file = import.meta.resolve('../' + 'statuses/index.ts');`,
  `export const file = join(import.meta.dirname, '..', 'statuses', 'index.ts');`,
  `const { dirname } = import.meta;`,
  `const here = import.meta; here.resolve('../statuses/index.ts');`,
  `import { fork } from 'node:child_process'; fork('./server/statuses/index.ts');`,
];

test.each(upward)('reports an import upward: %s', (text) => {
  expect(importViolations('server/accounts/planted.ts', text)).not.toEqual([]);
});

const otherWrongs: [path: string, text: string][] = [
  ['server/statuses/planted.ts', `import { findAccount } from '../accounts/find-accounts.ts';`],
  ['server/statuses/planted.ts', `await import('../accounts/find-accounts.ts');`],
  ['server/statuses/planted.ts', `type Row = import('../accounts/find-accounts.ts').AccountRow;`],
  ['server/statuses/planted.ts', `import { findAccount } from '../accounts/find/find-accounts.ts';`],
  ['server/statuses/planted.ts', `import { findAccount } from '../accounts/find/more/index.ts';`],
  ['server/statuses/react/planted.ts', `import '../../timelines/index.ts';`],
  ['server/statuses/react/planted.ts', `import '../../timelines/read/index.ts';`],
  // Only the owner of tables writes them.
  ['server/statuses/planted.ts', `import { writable } from '../accounts/tables.ts';`],
  ['server/statuses/planted.ts', `import { writable } from '../platform/work/tables.ts';`],
  // A barrel that its own domain imports makes a cycle.
  ['server/statuses/planted.ts', `import { postStatus } from './index.ts';`],
  ['server/statuses/react/planted.ts', `import { postStatus } from '../post/index.ts';`],
  ['server/statuses/post/index.ts', `export { Status } from '../index.ts';`],
  ['server/statuses/index.ts', `export { postStatus } from './post/index.ts';`],
  ['server/statuses/planted.ts', `import { createApp } from '../app.ts';`],
  ['server/statuses/planted.ts', `import type { AppParts } from '../main.ts';`],
  ['server/statuses/planted.ts', `import { testServer } from '../../test/server.ts';`],
  ['server/statuses/planted.ts', `import './settings.test.ts';`],
  ['server/app.ts', `import './statuses/settings.test.ts';`],
  ['server/platform/database/tables.ts', `import { postStatus } from '../../statuses/index.ts';`],
  ['server/platform/database/tables.ts', `await import('../../accounts/index.ts');`],
  ['server/platform/database/tables.ts', `import type { AccountTables } from '../../accounts/tables.ts';`],
  ['server/platform/work/planted.ts', `import type { AccountTables } from '../../accounts/tables.ts';`],
  // The web client imports the types of a schema.ts, and must not check the rest of the server with them.
  ['server/statuses/schema.ts', `import { Account } from '../accounts/index.ts';`],
  ['server/statuses/schema.ts', `import type { App } from '../platform/app.ts';`],
  ['server/statuses/schema.ts', `import { keepVisible } from './keep-visible.ts';`],
  ['server/accounts/schema.ts', `import { Status } from '../statuses/schema.ts';`],
];

test.each(otherWrongs)('reports in %s: %s', (path, text) => {
  expect(importViolations(path, text)).not.toEqual([]);
});

const legitimate: [path: string, text: string][] = [
  ['server/statuses/planted.ts', `import { accountDeleted } from '../accounts/index.ts';`],
  ['server/statuses/planted.ts', `import { findAccount } from '../accounts/find/index.ts';`],
  ['server/statuses/planted.ts', `import type { App } from '../platform/app.ts';`],
  ['server/statuses/react/planted.ts', `import { keepVisible } from '../keep-visible.ts';`],
  ['server/statuses/react/planted.ts', `import { on } from '../../platform/write/reactions.ts';`],
  ['server/statuses/planted.ts', `const { default: sharp } = await import('sharp');`],
  ['server/statuses/planted.ts', `const { Value } = await import('typebox/value');`],
  ['server/statuses/planted.ts', `import { readFile } from 'node:fs/promises';`],
  ['server/statuses/planted.ts', `const lazy = () => import('./keep-visible.ts');`],
  ['server/statuses/planted.ts', `// import { createApp } from '../app.ts';`],
  ['server/statuses/planted.ts', `/** See import('../timelines/index.ts'). */ export const a = 1;`],
  ['server/statuses/planted.ts', `export const text = "import '../timelines/index.ts'";`],
  ['server/statuses/planted.ts', `export const image = new URL('../assets/avatar.png', import.meta.url);`],
  ['server/statuses/planted.ts', `export const url = new URL('/api/v1/timelines', 'https://example.com');`],
  ['server/statuses/planted.ts', `valkey.eval(script, 0); promise.resolve('../timelines');`],
  [
    'server/accounts/tables.ts',
    `declare module '../platform/database/tables.ts' { interface Tables extends AccountTables {} }`,
  ],
  ['server/statuses/schema.ts', `import { Account } from '../accounts/schema.ts';`],
  ['server/statuses/thread/schema.ts', `import { Visibility } from '../schema.ts';`],
  ['server/statuses/schema.ts', `import { idSchema } from '../platform/id-schema.ts';`],
  ['server/cli/planted.ts', `const { createApp } = await import('../app.ts');`],
  ['server/cli/planted.ts', `const { suspend } = await import('../moderation/index.ts');`],
  ['server/app.ts', `import * as accounts from './accounts/index.ts';`],
];

test.each(legitimate)('accepts in %s: %s', (path, text) => {
  expect(importViolations(path, text)).toEqual([]);
});
