import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { barrelViolations } from './barrels.ts';
import { isFeatureList, webImportViolations } from './web-imports.ts';

const files = globSync('web/src/**/*.{ts,tsx}')
  .map((file) => file.slice('web/src/'.length))
  .filter((file) => !file.endsWith('.test.ts'));

test('the web client imports nothing of the server or of Node, and folders import only lower ones', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => webImportViolations(file, readFileSync(`web/src/${file}`, 'utf8')))).toEqual([]);
});

test('the list of a feature describes it in the first line, and only re-exports at most 20 names of its files', () => {
  const lists = files.filter(isFeatureList);
  expect(lists.length).toBeGreaterThan(15);
  expect(lists.flatMap((file) => barrelViolations(`web/src/${file}`, readFileSync(`web/src/${file}`, 'utf8')))).toEqual(
    [],
  );
});

test.each([
  ['status/planted.ts', "import { App } from '../../../server/platform/app.ts';"],
  ['status/planted.ts', "import { join } from 'node:path';"],
  ['status/planted.ts', "import { Thread } from '../thread/index.ts';"],
  ['ui/planted.tsx', "export { StatusCard } from '../status/index.ts';"],
  ['thread/planted.ts', "import { StatusCard } from '../status/status-card.tsx';"],
  ['thread/planted.ts', "import type { StatusCard } from '../status/status-card.tsx';"],
  ['thread/planted.ts', "type Card = import('../status/status-card.tsx').StatusCard;"],
  ['thread/planted.ts', "import '../status/status-card.css';"],
  ['thread/planted.ts', "const load = () => import('../composer/composer.tsx');"],
  ['thread/planted.ts', "import { routes } from '../status/routes.tsx';"],
  ['thread/planted.ts', "import { more } from '../status/media/more/index.ts';"],
  ['status/planted.ts', "import { StatusCard } from './index.ts';"],
  ['app.tsx', "import { StatusCard } from './status/status-card.tsx';"],
  ['api/planted.ts', "import '../app.tsx';"],
  ['api/entities.ts', "import { Status } from '../../../server/statuses/schema.ts';"],
  ['api/entities.ts', "import { type Status } from '../../../server/statuses/schema.ts';"],
  ['api/entities.ts', "export { Status } from '../../../server/statuses/schema.ts';"],
  ['api/entities.ts', "import type { App } from '../../../server/platform/app.ts';"],
  ['api/client.ts', "import type { Status } from '../../../server/statuses/schema.ts';"],
])('reports in %s: %s', (path, text) => {
  expect(webImportViolations(path, text)).toHaveLength(1);
});

test.each([
  ['thread/planted.ts', "import { StatusCard } from '../status/index.ts';"],
  ['thread/planted.ts', "import { StatusMedia } from '../status/media/index.ts';"],
  ['status/planted.ts', "import { StatusMedia } from './media/status-media.tsx';"],
  ['people/planted.ts', "const load = () => import('../lists/index.ts');"],
  ['status/planted.ts', "import { openReport } from '../people/dialogs/index.ts';"],
  ['moderation/planted.ts', "import { lazyPage } from '../lazy-page.ts';"],
  ['status/media/planted.ts', "import { Icon } from '../../ui/icon.tsx';"],
  ['app.tsx', "import { routes } from './thread/routes.tsx';"],
  ['ui/planted.ts', "import { signal } from '@preact/signals';"],
  ['api/entities.ts', "import type * as statuses from '../../../server/statuses/schema.ts';"],
])('accepts in %s: %s', (path, text) => {
  expect(webImportViolations(path, text)).toEqual([]);
});
