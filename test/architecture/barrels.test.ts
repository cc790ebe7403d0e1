import { expect, test } from 'vitest';
import { barrelDomain, barrelViolations, maxBarrelNames } from './barrels.ts';
import { readSource, sourceFiles } from './layers.ts';

const barrels = sourceFiles.filter((file) => barrelDomain(file) !== undefined);

test('every barrel describes its folder in the first line and exports at most 20 names', () => {
  expect(barrels.length).toBeGreaterThan(50);
  expect(barrels.flatMap((file) => barrelViolations(file, readSource(file)))).toEqual([]);
});

test('every index.ts of a domain is a barrel of the domain or of a topic folder', () => {
  const others = sourceFiles.filter((file) => file.endsWith('/index.ts') && barrelDomain(file) === undefined);
  expect(others.filter((file) => !/^server\/(?:platform|cli)\//.test(file))).toEqual([]);
});

const domain = 'server/statuses/index.ts';
const topic = 'server/statuses/react/index.ts';
const names = (count: number): string => Array.from({ length: count }, (_, index) => `name${index}`).join(', ');
const constants = (count: number): string =>
  Array.from({ length: count }, (_, index) => `export const name${index} = 0;`).join('\n');

const wrong: [path: string, text: string][] = [
  [domain, `// Statuses.\nexport { ${names(maxBarrelNames + 1)} } from './a.ts';`],
  [domain, `// Statuses.\nexport { ${names(maxBarrelNames)} } from './a.ts';\nexport { other } from './b.ts';`],
  [domain, `// Statuses.\nexport { ${names(maxBarrelNames)} } from './a.ts';\nexport const other = 0;`],
  [domain, `// Statuses.\nexport { ${names(maxBarrelNames)} } from './a.ts';\nexport function other() {}`],
  [domain, `// Statuses.\nexport { ${names(maxBarrelNames)} } from './a.ts';\nexport type { Other } from './b.ts';`],
  [domain, `// Statuses.\nexport { ${names(maxBarrelNames)}, type Other } from './a.ts';`],
  [domain, `// Statuses.\nimport { other } from './b.ts';\nexport { ${names(maxBarrelNames)}, other };`],
  [domain, `// Statuses.\n${constants(maxBarrelNames + 1)}`],
  [domain, `// Statuses.\nexport * from './a.ts';`],
  [domain, `// Statuses.\nexport * as all from './a.ts';`],
  [domain, `// Statuses.\nexport type * from './a.ts';`],
  [domain, `// Statuses.\nimport * as all from './a.ts';\nexport { all };`],
  [domain, `// Statuses.\nexport const { one, two } = three;`],
  [domain, `// Statuses.\nexport default {};`],
  [domain, `export { one } from './a.ts';`],
  [domain, `// Statuses.\nexport { writable } from './tables.ts';`],
  [topic, `export { one } from './a.ts';`],
  [topic, `// Reactions.\nexport { ${names(maxBarrelNames + 1)} } from './a.ts';`],
  [topic, `// Reactions.\nexport { Status } from '../schema.ts';`],
  [topic, `// Reactions.\nexport { one } from './more/a.ts';`],
  [topic, `// Reactions.\nimport './a.ts';\nexport { one } from './a.ts';`],
  [topic, `// Reactions.\nexport const one = 1;`],
];

test.each(wrong)('reports in %s: %s', (path, text) => {
  expect(barrelViolations(path, text)).not.toEqual([]);
});

const legitimate: [path: string, text: string][] = [
  [domain, `// Statuses.\nexport { ${names(maxBarrelNames)} } from './a.ts';`],
  [domain, `/** Statuses. */\nimport { one } from './react/a.ts';\nexport const routes = [one];`],
  [domain, `// Statuses.\nimport { ${names(30)} } from './a.ts';\nexport const routes = [${names(30)}];`],
  [topic, `// Reactions.\nexport { one, type Two } from './a.ts';\nexport type { Three } from './b.ts';`],
];

test.each(legitimate)('accepts in %s: %s', (path, text) => {
  expect(barrelViolations(path, text)).toEqual([]);
});
