import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureWebClient, findHomeChunks, type ManifestChunk } from '../../bin/build-web.mjs';

const dist = join(import.meta.dirname, '..', '..', 'web', 'dist');
const maxBytes = 90 * 1024;
/** What home must not load. */
const others = /^src\/(?:moderation|preferences|profile|search|composer\/(?!open-composer|composer-prompt|published))/;

test(
  'home loads at most 90 KB of compressed scripts and styles, and nothing of other pages',
  { timeout: 60_000 },
  async () => {
    expect(await ensureWebClient()).toBe(true);
    const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Record<
      string,
      ManifestChunk
    >;
    const chunks = findHomeChunks(manifest);
    const files = [...new Set(chunks.flatMap(({ file, css = [] }) => [file, ...css]))];
    const sizes = files.map((file) => statSync(join(dist, `${file}.br`)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(maxBytes);
    const names = Object.keys(manifest).filter((key) => chunks.includes(manifest[key] as ManifestChunk));
    expect(names.filter((name) => others.test(name))).toEqual([]);
  },
);
