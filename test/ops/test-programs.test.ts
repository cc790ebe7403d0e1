import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const script = join(import.meta.dirname, '..', '..', 'bin', 'install-test-programs.mjs');

/** Runs the script with a PATH that has only these programs. */
function run(programs: readonly string[], settings: Record<string, string> = {}) {
  const path = mkdtempSync(join(tmpdir(), 'ff-programs-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const name of programs) {
    writeFileSync(join(path, name), '#!/bin/sh\nexit 1\n');
    chmodSync(join(path, name), 0o755);
  }
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
