import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sources = join(import.meta.dirname, '..', '..', 'web', 'src');

/** Returns the selectors of a stylesheet that are one class or element without more, so that they style it everywhere. */
function bareSelectors(css: string): string[] {
  const rules = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g);
  // Without the lists in `:is(…)`, which have commas of their own.
  const lists = [...rules].map(([, list = '']) => list.replaceAll(/\([^()]*\)/g, '()'));
  const selectors = lists.flatMap((list) => list.split(',').map((selector) => selector.trim()));
  return [...new Set(selectors.filter((selector) => /^\.?[a-z][\w-]*$/.test(selector)))];
}

/** Returns the bare selectors that several of these stylesheets have, with their files. */
function repeatedSelectors(stylesheets: Readonly<Record<string, string>>): Record<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const [file, css] of Object.entries(stylesheets))
    for (const selector of bareSelectors(css)) files.set(selector, [...(files.get(selector) ?? []), file]);
  return Object.fromEntries([...files].filter(([, found]) => found.length > 1));
}

test('a selector in two stylesheets is found, but not one that is limited by another', () => {
  const one = '.row { color: red } .page .other { color: red } @media (width > 1rem) { .wide, kbd { margin: 0 } }';
  const two =
    '/* .row {} */ .wide { margin: 0 } .list > .row, kbd:hover, :is(.page, .row) b { color: blue } kbd { margin: 0 }';
  expect(repeatedSelectors({ one, two })).toEqual({ '.wide': ['one', 'two'], kbd: ['one', 'two'] });
});

// Styles of pages stay loaded: with two rules for a class, its look would depend on the pages that were opened before.
test('no two stylesheets of the web client style the same class or element everywhere', () => {
  const files = globSync('**/*.css', { cwd: sources });
  expect(files.length).toBeGreaterThan(50);
  const stylesheets = files.map((file) => [file, readFileSync(join(sources, file), 'utf8')]);
  expect(repeatedSelectors(Object.fromEntries(stylesheets) as Record<string, string>)).toEqual({});
});
