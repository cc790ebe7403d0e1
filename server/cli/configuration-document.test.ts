import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configurationDocument, configurationDocumentPath } from './configuration-document.ts';

test('OPS-01: docs/configuration.md is current (node bin/run.mjs server/cli/configuration-document.ts)', () => {
  expect(readFileSync(configurationDocumentPath, 'utf8')).toBe(configurationDocument());
});
