import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { webImportViolations } from './web-imports.ts';

const files = globSync('web/src/**/*.{ts,tsx}')
  .map((file) => file.slice('web/src/'.length))
  .filter((file) => !file.endsWith('.test.ts'));

test('the web client imports nothing of the server or of Node, and folders import only lower ones', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => webImportViolations(file, readFileSync(`web/src/${file}`, 'utf8')))).toEqual([]);
});

test.each([
  ['status/planted.ts', "import { App } from '../../../server/platform/app.ts';"],
  ['status/planted.ts', "import { join } from 'node:path';"],
  ['status/planted.ts', "import { Thread } from '../thread/thread-page.tsx';"],
  ['ui/planted.tsx', "export { StatusCard } from '../status/status-card.tsx';"],
  ['api/planted.ts', "import '../app.tsx';"],
])('reports in %s: %s', (path, text) => {
  expect(webImportViolations(path, text)).toHaveLength(1);
});

test.each([
  ['thread/planted.ts', "import { StatusCard } from '../status/status-card.tsx';"],
  ['timeline/planted.ts', "const load = () => import('../moderation/reports-page.tsx');"],
  ['moderation/planted.ts', "import { lazyPage } from '../lazy-page.ts';"],
  ['status/media/planted.ts', "import { Icon } from '../../ui/icon.tsx';"],
  ['app.tsx', "import { routes } from './thread/routes.tsx';"],
  ['ui/planted.ts', "import { signal } from '@preact/signals';"],
])('accepts in %s: %s', (path, text) => {
  expect(webImportViolations(path, text)).toEqual([]);
});
