import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureWebClient, findHomeChunks, type ManifestChunk } from '../../bin/build-web.mjs';
import { loadedWith } from './web-imports.ts';

const dist = join(import.meta.dirname, '..', '..', 'web', 'dist');
const maxBytes = 90 * 1024;

test('home loads one script, its texts and one stylesheet, at most 90 KB compressed', { timeout: 60_000 }, async () => {
  expect(await ensureWebClient()).toBe(true);
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Record<
    string,
    ManifestChunk
  >;
  const files = [...new Set(findHomeChunks(manifest).flatMap(({ file, css = [] }) => [file, ...css]))];
  expect(files.map((file) => file.replace(/-.{8}\./, '.')).toSorted()).toEqual([
    'assets/core.js',
    'assets/main.css',
    'assets/main.js',
  ]);
  const sizes = files.map((file) => statSync(join(dist, `${file}.br`)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(maxBytes);
});

test('home loads nothing of other pages', () => {
  const files = [...loadedWith('main.tsx')];
  expect(files).toContain('timeline/home-page.tsx');
  const others = /^(?:moderation|preferences|profile|search|composer|notifications|people)\/(?!routes\.tsx$)/;
  expect(files.filter((file) => others.test(file)).toSorted()).toEqual([
    'composer/composer-prompt.tsx',
    'composer/index.ts',
    'composer/open-composer.tsx',
    'composer/published.ts',
    'people/dialogs/index.ts',
    'people/dialogs/open-dialogs.tsx',
  ]);
});
