import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
/** What the build reads. */
const shared = [
  'server/text',
  'server/users/access',
  'server/platform/i18n',
  'server/platform/known-names.ts',
  'locales',
];
const parts = ['bin', 'web/src', 'web/package.json', 'web/tsconfig.json', ...shared];
const configs = [
  'web/vite.config.ts',
  'web/compile-texts.ts',
  'web/vite.service-worker.config.ts',
  'package.json',
  'tsconfig.json',
];
const builtLine = /^Built the web client in \d+\.\d s\.\n$/;
let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'fieldfare-build-'));
  for (const part of [...parts, ...configs]) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

function build() {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/build-web.mjs'], {
    cwd: copy,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const builtSources = (): string => readFileSync(join(copy, 'web/dist/.sources'), 'utf8');

test('the web client is built with one line of progress, and again only when its sources changed', () => {
  expect(build()).toEqual({ status: 0, stdout: '', stderr: expect.stringMatching(builtLine) });
  const first = builtSources();

  expect(build()).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(builtSources()).toBe(first);

  appendFileSync(join(copy, 'web/src/styles/tokens.css'), '\n:root { --new-token: 0; }\n');
  expect(build()).toEqual({ status: 0, stdout: '', stderr: expect.stringMatching(builtLine) });
  expect(builtSources()).not.toBe(first);

  appendFileSync(join(copy, 'locales/de/client/core.json'), '\n');
  const second = builtSources();
  expect(build()).toEqual({ status: 0, stdout: '', stderr: expect.stringMatching(builtLine) });
  expect(builtSources()).not.toBe(second);

  appendFileSync(join(copy, 'web/src/deck/columns.test.ts'), '\n');
  expect(build()).toEqual({ status: 0, stdout: '', stderr: '' });
});
