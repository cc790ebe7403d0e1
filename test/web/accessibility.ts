import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules whose findings depend on the color scheme: for a page that was already tested in the other one. */
export const colorRules = ['color-contrast', 'link-in-text-block'];

/** Expects that axe-core finds nothing on the page. Tests all rules by default. */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  if (!(await page.evaluate("'axe' in globalThis"))) await addAxe(page);
  // The default rules need neither selectors of elements nor the text of style sheets.
  const options: RunOptions = {
    resultTypes: ['violations'],
    selectors: false,
    preload: { assets: ['media'] },
    ...(rules !== undefined && { runOnly: [...rules] }),
  };
  const violations = await page.evaluate(
    // Only what is reported leaves the page: the whole result is large.
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, help, nodes }) => (
      { id, help, at: nodes.map(({ html }) => html.slice(0, 200)) })))`,
  );
  expect(violations).toEqual([]);
}

/** Runs axe-core as a script: the browser keeps what it compiled, and `page.evaluate` costs twice as much. */
async function addAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: source });
  await session.detach();
}
