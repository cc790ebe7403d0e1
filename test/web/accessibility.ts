import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Expects that axe-core finds nothing on the page. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(source);
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  expect(
    violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map((node) => node.html.slice(0, 200)) })),
  ).toEqual([]);
}
