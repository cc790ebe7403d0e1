import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sources = join(import.meta.dirname, '..', '..', 'web', 'src');

/** What only one place of the client does, so that the history and the layers above the page agree. */
const owners: readonly (readonly [what: string, pattern: RegExp, owner: string])[] = [
  [
    'opens a native dialog or popover',
    /\.showModal\(|<dialog\b(?![^>]*\{\.\.\.modal\})|\bpopover="/,
    'ui/use-layer.ts',
  ],
  ['adds an entry to the history', /history\.(?:pushState|go)\(/, 'ui/layers.ts'],
  ['opens another document', /location\.(?:assign|replace)\(/, 'navigate.ts'],
  ['goes back', /history\.back\(/, 'navigate.ts'],
  ['uses the router', /\{[^}]*\b(?:route|back|forward)\b[^}]*\} = useLocation\(\)/, 'shortcuts/shortcuts.tsx'],
];

const violationsOf = (file: string, text: string): string[] =>
  owners.flatMap(([what, pattern, owner]) =>
    file !== owner && pattern.test(text) ? [`${file} ${what}: ${owner}`] : [],
  );

test('a dialog, an entry of the history and a use of the router outside their place are found', () => {
  expect(violationsOf('a.tsx', 'element.showModal();')).toHaveLength(1);
  expect(violationsOf('a.tsx', '<dialog class="new">')).toHaveLength(1);
  expect(violationsOf('a.tsx', '<dialog {...modal} class="new">')).toEqual([]);
  expect(violationsOf('a.tsx', '<div popover="auto">')).toHaveLength(1);
  expect(violationsOf('a.tsx', "history.pushState(null, '');\nhistory.back();")).toHaveLength(2);
  expect(violationsOf('a.tsx', 'const { query, route } = useLocation();')).toHaveLength(1);
  expect(violationsOf('a.tsx', 'const { query } = useLocation();')).toEqual([]);
});

test('everything above the page is a layer, and pages are opened by openPath and goBack', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: sources });
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap((file) => violationsOf(file, readFileSync(join(sources, file), 'utf8')))).toEqual([]);
});
