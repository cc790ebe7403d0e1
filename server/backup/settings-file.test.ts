import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { settings } from '../platform/config.ts';
import { formatSettings } from './settings-file.ts';

test('a restored server uses no database of the machine that made the backup', () => {
  const names = Object.keys(settings).filter((name) => /^DATABASE_|_DIR$/.test(name));
  expect(names).toContain('DATABASE_DIRECT_URL');
  const given = Object.fromEntries([...names, 'BASE_URL'].map((name) => [name, 'x']));
  expect(parseEnv(formatSettings(given))).toEqual({ BASE_URL: 'x' });
});
