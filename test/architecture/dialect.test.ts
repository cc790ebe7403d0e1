import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findDialect } from './dialect.ts';

/** The list of the old dialect and its tests quote it. */
const sources = globSync(['{server,bench,test}/**/*.ts', 'bin/*.mjs']).filter(
  (file) => !file.startsWith('test/architecture/dialect.'),
);
const documents = globSync(['*.md', 'docs/**/*.md']).filter(
  (file) => !['CHANGELOG.md', 'docs/requirements.md'].includes(file),
);

test('comments, messages, names and documents do not use the old dialect', () => {
  expect(sources.length).toBeGreaterThan(900);
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
  ['/** Measures all cases, and gives the slowest. */', 'and gives'],
  ["test('ACC-13: a follower who is removed hears of it', run);", 'hears'],
  ["test('a name that is refused is told at once', run);", 'is told'],
  ['// Somebody else changed it.', 'Somebody'],
  ["test('FED-02: what nobody here knows is ignored', run);", 'nobody here'],
  ["test('FED-03: a Like is taken back', run);", 'taken back'],
  ['/** A link as it stands in the text of a post. */', 'stands in'],
  ['// The name that a client sends is not believed.', 'believed'],
  ['/** Stores a film with a preview. */', 'film'],
  ["test('a post of another server is quoted', run);", 'post of another server'],
  ["test('STA-02, STA-03: who is mentioned may see a post', run);", 'STA-02, STA-03: who'],
])('%s is reported', (source, phrase) => {
  expect(findDialect(source).map(({ text }) => text)).toContain(phrase);
});

test.each([
  '/** Returns the ids of visible statuses, newest first. */',
  "import { x } from './whom.ts';",
  'const maxAttempts = 16;',
  'const almostDone = true;',
  '/** The access is limited to your name, profile picture and address. */',
  '// The process was told to stop.',
  "test('STA-02: an author who blocks the viewer is hidden', run);",
])('%s is accepted', (source) => {
  expect(findDialect(source)).toEqual([]);
});
