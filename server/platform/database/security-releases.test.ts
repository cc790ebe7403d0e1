import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareWithSecurityReleases } from './security-releases.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const file = 'server/platform/database/security-releases.ts';

test('a server without the fixes of a known security release is noticed', () => {
  expect(compareWithSecurityReleases(180_004)).toEqual({ isKnown: true, missing: '18.7' });
  expect(compareWithSecurityReleases(180_007)).toEqual({ isKnown: true });
  expect(compareWithSecurityReleases(150_000)).toMatchObject({ missing: expect.stringMatching(/^15\./) as string });
  expect(compareWithSecurityReleases(990_000)).toEqual({ isKnown: false });
});

test('Renovate finds each release of the list, so that it proposes the next one', () => {
  const { customManagers, packageRules } = JSON.parse(readFileSync(join(root, 'renovate.json'), 'utf8')) as {
    customManagers: { managerFilePatterns: string[]; matchStrings: string[] }[];
    packageRules: { matchFileNames?: string[] }[];
  };
  const [manager] = customManagers;
  // A pattern is a regular expression between slashes.
  expect(file).toMatch(new RegExp(manager?.managerFilePatterns[0]?.slice(1, -1) ?? 'none'));
  const found = [...readFileSync(join(root, file), 'utf8').matchAll(new RegExp(manager?.matchStrings[0] ?? '', 'g'))];
  const majors = found.map(({ groups }) => Number.parseInt(groups?.['currentValue'] ?? '', 10));
  expect(majors).toEqual([15, 16, 17, 18]);
  expect(packageRules.filter(({ matchFileNames }) => matchFileNames?.includes(file))).toHaveLength(2);
});
