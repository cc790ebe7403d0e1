import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { entityTypes, entityTypesPath } from './entity-types.ts';

test('the entity types of the web client are current (node bin/run.mjs server/cli/entity-types.ts)', () => {
  expect(readFileSync(entityTypesPath, 'utf8')).toBe(entityTypes());
});
