import { expect, test } from 'vitest';
import { caches } from '../../server/app.ts';
import { readSource, sourceFiles } from './layers.ts';
import { literalText, parse } from './syntax.ts';

const sources = sourceFiles.map((file) => parse(file, readSource(file)));

test('platform/caching has the only caches in memory: there is no other cache class, and only it imports the LRU', () => {
  const classes = sources.flatMap(({ path, nodes }) =>
    nodes.flatMap((node) =>
      (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') && /cache/i.test(node.id?.name ?? '')
        ? [`${path} ${node.id?.name}`]
        : [],
    ),
  );
  expect(classes.toSorted()).toEqual([
    // Files on disk.
    'server/media/proxy/disk-cache.ts DiskCache',
    'server/platform/caching/cache-entries.ts CacheEntries',
    'server/platform/caching/cache.ts BatchLoadingCache',
    'server/platform/caching/cache.ts Cache',
    'server/platform/caching/cache.ts LoadingCache',
  ]);
  const lruUsers = sources.filter(({ nodes }) =>
    nodes.some((node) => node.type === 'ImportDeclaration' && literalText(node.source) === 'lru-cache'),
  );
  expect(lruUsers.map(({ path }) => path)).toEqual(['server/platform/caching/cache-entries.ts']);
});

/** Files that call `new` with this class. */
const creatorsOf = (name: string): string[] =>
  sources.flatMap(({ path, nodes }) =>
    nodes.flatMap((node) =>
      node.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name === name ? [path] : [],
    ),
  );

test('caches create their entries themselves, except those of outgoing requests, which have no App', () => {
  expect(creatorsOf('CacheEntries').toSorted()).toEqual([
    'server/platform/caching/cache.ts',
    'server/platform/outgoing/outgoing-sockets.ts',
    'server/platform/outgoing/resolve-host.ts',
  ]);
});

test('each domain lists its caches, or they would react to no event', () => {
  const created = ['Cache', 'LoadingCache', 'BatchLoadingCache'].flatMap(creatorsOf);
  const flights = sources.flatMap(({ nodes }) =>
    nodes.filter(
      (node) =>
        node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'defineFlight',
    ),
  );
  // A flight creates its cache in the one line of `defineFlight`.
  expect(caches).toHaveLength(created.length - 1 + flights.length);
});
