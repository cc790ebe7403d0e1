import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { readRecords } from './record-routes.ts';
import { uncoveredRoutes } from './route-coverage.ts';

/** Routes that refuse every request, with the reason. */
const refusesOnly: Readonly<Record<string, string>> = {};

/**
 * Ends the run with its slowest tests and one plain line that any CI can read: `N passed, N failed`. A run of all files
 * also fails if the tests do not cover a route.
 */
// vitest loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export
export default class ClosingLines implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly unknown[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const uncovered = reason !== 'interrupted' && (await this.#isWholeRun(modules)) ? this.#uncoveredRoutes() : [];
    if (uncovered.length > 0) process.exitCode = 1;
    storeFailures(modules, [...(errors.length > 0 ? ['errors'] : []), ...(uncovered.length > 0 ? ['routes'] : [])]);
    const lines = [
      ...slowestTests(modules),
      ...(uncovered.length > 0 ? ['Routes without a test:', ...uncovered.map((line) => `  ${line}`)] : []),
      resultLine(modules, errors.length + (uncovered.length > 0 ? 1 : 0)),
    ];
    const print = (): void => void process.stdout.write(`${lines.join('\n')}\n`);
    // Print after the summary of vitest, independent of the order of reporters.
    if (this.#vitest === undefined) print();
    else this.#vitest.onClose(print);
  }

  /** Returns whether every test file ran, without a filter on names. */
  async #isWholeRun(modules: readonly TestModule[]): Promise<boolean> {
    if (this.#vitest === undefined || this.#vitest.config.testNamePattern !== undefined) return false;
    const ran = new Set(modules.map(({ moduleId }) => moduleId));
    const all = await this.#vitest.globTestSpecifications();
    return all.every(({ moduleId }) => ran.has(moduleId));
  }

  #uncoveredRoutes(): string[] {
    const contexts = this.#vitest?.projects.map((project) => project.getProvidedContext()) ?? [];
    const folder = contexts.find(({ routeRecords }) => routeRecords !== undefined)?.routeRecords;
    if (folder === undefined) throw new Error('no project of the tests records routes');
    return uncoveredRoutes(readRecords(folder), refusesOnly);
  }
}

/** Stores which files failed, for bin/test.mjs. */
function storeFailures(modules: readonly TestModule[], others: readonly string[]): void {
  const file = process.env['TEST_FAILURES'];
  if (file === undefined) return;
  const failed = modules.filter((module) => module.state() === 'failed' || !module.ok());
  const names = failed.map(({ moduleId }) => relative(process.cwd(), moduleId));
  writeFileSync(file, JSON.stringify([...names, ...others]));
}

function resultLine(modules: readonly TestModule[], errors: number): string {
  let passed = 0;
  let failed = errors;
  let skipped = 0;
  for (const module of modules) {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    passed += states.filter((state) => state === 'passed').length;
    skipped += states.filter((state) => state === 'skipped').length;
    failed += states.filter((state) => state === 'failed').length;
    // A file that cannot be loaded has no tests that could fail.
    if (module.state() === 'failed' && !states.includes('failed')) failed += 1;
  }
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const durationOf = (test: TestCase): number => test.diagnostic()?.duration ?? 0;

function slowestTests(modules: readonly TestModule[]): string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const slowest = tests.toSorted((a, b) => durationOf(b) - durationOf(a)).slice(0, 10);
  const lines = slowest.map((test) => {
    const seconds = (durationOf(test) / 1_000).toFixed(1).padStart(7);
    return `${seconds} s  ${test.module.relativeModuleId} > ${test.fullName}`;
  });
  return ['Slowest tests:', ...lines];
}
