import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifests = ['package.json', 'web/package.json'].map(
  (file) => JSON.parse(readFileSync(file, 'utf8')) as Manifest,
);
const declared = manifests.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
  Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }),
);

test('docs/dependencies.md names every package, and no other', () => {
  const [packages = ''] = readFileSync('docs/dependencies.md', 'utf8').split('## Data of others');
  const cells = packages.split('\n').flatMap((line) => /^\| (`[^|]+`) \|/.exec(line)?.[1] ?? []);
  const optional = /^Optional: .+$/m.exec(packages)?.[0] ?? '';
  const named = [...`${cells.join()} ${optional}`.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  // Types that a package lacks need no reason.
  const names = declared.map(([name]) => name).filter((name) => !name.startsWith('@types/'));
  expect(names.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((name) => name !== 'ffmpeg').toSorted()).toEqual([...new Set(names)].toSorted());
});

test('every version is exact', () => {
  expect(declared.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
});
