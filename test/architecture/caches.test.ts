import { expect, test } from 'vitest';
import { readSource, sourceFiles } from './layers.ts';
import { literalText, parse } from './syntax.ts';

const sources = sourceFiles.map((file) => parse(file, readSource(file)));

test('defineCache is the only cache in memory: there is no other cache class, and only it imports the LRU', () => {
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
  ]);
  const lruUsers = sources.filter(({ nodes }) =>
    nodes.some((node) => node.type === 'ImportDeclaration' && literalText(node.source) === 'lru-cache'),
  );
  expect(lruUsers.map(({ path }) => path)).toEqual(['server/platform/caching/cache-entries.ts']);
});

test('caches create their entries through defineCache, except those of outgoing requests, which have no App', () => {
  const creators = sources.flatMap(({ path, nodes }) =>
    nodes.flatMap((node) =>
      node.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name === 'CacheEntries'
        ? [path]
        : [],
    ),
  );
  expect(creators.toSorted()).toEqual([
    'server/platform/caching/define-cache.ts',
    'server/platform/outgoing/outgoing-sockets.ts',
    'server/platform/outgoing/resolve-host.ts',
  ]);
});
