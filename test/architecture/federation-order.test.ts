import { expect, test } from 'vitest';
import { readSource, sourceFiles } from './layers.ts';
import { parse } from './syntax.ts';

const root = 'server/federation/';

/** The subfolders of federation, lowest first; '' is the folder itself without its lists, index.ts and caches.ts. */
const order = [
  'documents',
  '',
  'signatures',
  'fetch',
  'keys',
  'delivery',
  'relays',
  'synchronization',
  'serving',
  'inbox',
  'hosts',
  'retention',
];

function folderOf(path: string): string {
  const [folder = '', ...rest] = path.slice(root.length).split('/');
  return rest.length === 0 ? '' : folder;
}

/** Returns the imports of a file from a higher subfolder, or from federation/index.ts. */
function upwardImports(path: string, text: string): string[] {
  return parse(path, text).nodes.flatMap((node) => {
    const source =
      'source' in node && node.source !== null && typeof node.source === 'object' ? node.source : undefined;
    if (source === undefined || !('value' in source) || !String(source.value).startsWith('.')) return [];
    const target = new URL(String(source.value), `file:///${path}`).pathname.slice(1);
    if (!target.startsWith(root)) return [];
    const isUpward = lists.includes(target) || order.indexOf(folderOf(target)) > order.indexOf(folderOf(path));
    return isUpward ? [`${path} imports ${target}`] : [];
  });
}

const lists = ['index.ts', 'caches.ts'].map((name) => `${root}${name}`);
const files = sourceFiles.filter((file) => file.startsWith(root) && !lists.includes(file));

test('the order lists every subfolder of federation', () => {
  expect(new Set(files.map(folderOf))).toEqual(new Set(order));
});

test('imports inside federation point down the order of its subfolders', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => upwardImports(file, readSource(file)))).toEqual([]);
});

test.each([
  [`${root}documents/values.ts`, `import { findKey } from '../keys/find-key.ts';`],
  [`${root}fetch/planted.ts`, `import type { RemoteKey } from '../keys/find-key.ts';`],
  [`${root}delivery/planted.ts`, `export { requireSigner } from '../serving/signer.ts';`],
  [`${root}signatures/planted.ts`, `const { findKey } = await import('../keys/find-key.ts');`],
  [`${root}events.ts`, `type Key = import('./keys/find-key.ts').RemoteKey;`],
  [`${root}inbox/planted.ts`, `import { routes } from '../index.ts';`],
])('reports in %s: %s', (path, text) => {
  expect(upwardImports(path, text)).toHaveLength(1);
});
