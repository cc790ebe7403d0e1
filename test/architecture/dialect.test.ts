import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findDialect } from './dialect.ts';

/** Test titles and helpers under test/ are not covered yet. */
const sources = globSync(['{server,bench}/**/*.ts', 'bin/*.mjs']);
const documents = globSync(['*.md', 'docs/**/*.md']).filter(
  (file) => !['CHANGELOG.md', 'docs/requirements.md'].includes(file),
);

test('comments, messages, names and documents do not use the old dialect', () => {
  expect(sources.length).toBeGreaterThan(500);
  const findings = sources.flatMap((file) =>
    findDialect(readFileSync(file, 'utf8')).map(({ line, text, instead }) => `${file}:${line}: ${text} → ${instead}`),
  );
  const inDocuments = documents.flatMap((file) =>
    findDialect(`/*${readFileSync(file, 'utf8').replaceAll('*/', '')}*/`).map(
      ({ line, text, instead }) => `${file}:${line}: ${text} → ${instead}`,
    ),
  );
  expect([...findings, ...inDocuments]).toEqual([]);
});

test.each([
  ['/** Those whom one blocks. */', 'whom'],
  ["throw invalid('Languages has a code that is none');", 'that is none'],
  ['// Gives the ids of statuses.', 'Gives'],
  ['/**\n * Has an account of another server read anew.\n */', 'anew'],
  ['const mostAttempts = 16;', 'mostAttempts'],
  ['const longestClose = 10_000;', 'longestClose'],
  ['html`<button>Take access away</button>`;', 'Take access away'],
])('%s is reported', (source, phrase) => {
  expect(findDialect(source).map(({ text }) => text)).toContain(phrase);
});

test.each([
  '/** Returns the ids of visible statuses, newest first. */',
  "import { x } from './whom.ts';",
  'const maxAttempts = 16;',
  'const almostDone = true;',
])('%s is accepted', (source) => {
  expect(findDialect(source)).toEqual([]);
});
