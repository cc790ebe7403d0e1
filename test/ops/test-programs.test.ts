import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findChromium, findWholeChromium } from '../clients/chromium.ts';

const script = join(import.meta.dirname, '..', '..', 'bin', 'install-test-programs.mjs');

/** Returns a folder with these programs, which only fail. */
function createPrograms(names: readonly string[]): string {
  const path = mkdtempSync(join(tmpdir(), 'ff-programs-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const name of names) {
    writeFileSync(join(path, name), '#!/bin/sh\nexit 1\n');
    chmodSync(join(path, name), 0o755);
  }
  return path;
}

/** Runs the script with a PATH that has only these programs. */
function run(programs: readonly string[], settings: Record<string, string> = {}) {
  const path = createPrograms(programs);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
    encoding: 'utf8',
    env: { PATH: path, ...settings },
  });
  return { status, lines: `${stdout}${stderr}`.split('\n').filter((line) => line !== '') };
}

test('programs of tests that cannot be installed are named in one line each, and fail only in CI', () => {
  const present = ['caddy', 'ffmpeg', 'haproxy', 'nginx', 'openssl', 'promtool', 'redis-server', 'unshare'];
  const lines = [
    'Tests that need chromium are skipped: install it, or set CHROMIUM',
    'Tests that need systemd are skipped: install it',
  ];
  expect(run(present)).toEqual({ status: 0, lines });
  expect(run(present, { CI: '1' })).toEqual({ status: 1, lines });
  expect(run([...present, 'systemd-analyze'], { CI: '1', CHROMIUM: '/opt/chromium' })).toEqual({
    status: 0,
    lines: [],
  });
});

test('the headless shell is preferred to the whole browser, and CHROMIUM to both', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('CHROMIUM', undefined);
  const [whole, shell] = [createPrograms(['chromium']), createPrograms(['chromium-headless-shell'])];
  const find = (path: string): string | undefined => {
    vi.stubEnv('PATH', path);
    return findChromium();
  };
  expect(find(`${whole}:${shell}`)).toBe(join(shell, 'chromium-headless-shell'));
  expect(findWholeChromium()).toBe(join(whole, 'chromium'));
  expect(find(whole)).toBe(join(whole, 'chromium'));
  const unusable = createPrograms(['chromium-headless-shell']);
  chmodSync(join(unusable, 'chromium-headless-shell'), 0o644);
  expect(find(`${unusable}:${whole}`)).toBe(join(whole, 'chromium'));
  expect(find(createPrograms([]))).toBeUndefined();
  vi.stubEnv('CHROMIUM', '/opt/chromium');
  expect(find(shell)).toBe('/opt/chromium');
});
