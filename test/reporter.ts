import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { inspect } from 'node:util';
import type {
  Reporter,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSpecification,
  TestSuite,
  Vitest,
} from 'vitest/node';
import { formatResult, type Attempt, type Outcome } from '../bin/test-outcomes.mjs';
import { readRecords } from './record-routes.ts';
import { uncoveredRoutes } from './route-coverage.ts';

/** Routes that refuse every request, with the reason. */
const refusesOnly: Readonly<Record<string, string>> = {};

/** How long a run may take on two idle cores, in seconds, from the shell. Nothing fails if it takes longer. */
const aims = { all: 600, file: 6 };

/**
 * Begins the run with what it will do. Ends it with its slowest tests, what it skipped, its duration and one plain line that any CI can read: `N passed, N failed`. A run of all files
 * also fails if the tests do not cover a route.
 */
// vitest loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export
export default class ClosingLines implements Reporter {
  #vitest: Vitest | undefined;
  /** Set by bin/test.mjs, so that the start of vitest counts. */
  readonly #startedAt = Number(process.env['TEST_STARTED_AT'] ?? Date.now());

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    if (this.#vitest === undefined) return;
    const { cache, config } = this.#vitest;
    const workers = Math.min(config.maxWorkers, specifications.length);
    const durations = specifications.map((file) => cache.getTestSpecificationResult(file)?.duration);
    const known = durations.filter((duration) => duration !== undefined);
    const seconds = known.reduce((sum, duration) => sum + duration / 1_000, 0) / workers;
    const isNew =
      known.length < specifications.length ? `, ${specifications.length - known.length} for the first time` : '';
    const last = known.length > 0 ? `; the tests took about ${formatSeconds(seconds)} last time` : '';
    process.stdout.write(
      `Running ${count(specifications.length, 'file')}${isNew} in ${count(workers, 'worker')}${last}\n`,
    );
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly unknown[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const isWhole = await this.#isWholeRun(modules);
    const uncovered = reason !== 'interrupted' && isWhole ? this.#uncoveredRoutes() : [];
    if (uncovered.length > 0) process.exitCode = 1;
    const others = [
      ...(errors.length > 0 ? ['Errors outside of tests'] : []),
      ...(uncovered.length > 0 ? ['Routes without a test'] : []),
    ];
    const attempt: Attempt = { outcomes: modules.flatMap(listOutcomes), others };
    const file = process.env['TEST_OUTCOMES'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(attempt));
    const lines = [
      ...slowestTests(modules),
      ...suppressedErrors(modules),
      ...skippedTests(modules),
      ...(uncovered.length > 0 ? ['Routes without a test:', ...uncovered.map((line) => `  ${line}`)] : []),
      this.#durationLine(isWhole ? aims.all : modules.length === 1 ? aims.file : undefined),
      formatResult(attempt),
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

  #durationLine(aim: number | undefined): string {
    const seconds = (Date.now() - this.#startedAt) / 1_000;
    const comparison = aim === undefined ? '' : `; the aim on two idle cores is ${formatSeconds(aim)}`;
    return `Took ${formatSeconds(seconds)}${comparison}`;
  }

  #uncoveredRoutes(): string[] {
    const contexts = this.#vitest?.projects.map((project) => project.getProvidedContext()) ?? [];
    const folder = contexts.find(({ routeRecords }) => routeRecords !== undefined)?.routeRecords;
    if (folder === undefined) throw new Error('no project of the tests records routes');
    return uncoveredRoutes(readRecords(folder), refusesOnly);
  }
}

/** Returns the two errors of each test that failed and also left work behind: vitest only prints that there are two. */
function suppressedErrors(modules: readonly TestModule[]): string[] {
  const failed = modules.flatMap((module) => [...module.children.allTests('failed')]);
  return failed.flatMap((test) =>
    (test.result().errors ?? [])
      .flatMap(({ suppressed, error }) => [suppressed, error])
      .flatMap((part) => (part === undefined ? [] : [`${test.fullName}: ${describeError(part)}`])),
  );
}

/** Returns the message of an error of a worker, which arrives as a plain object, without a class or even a prototype. */
const describeError = (error: {} | null): string =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
    ? error.message
    : inspect(error);

/** Returns what became of the tests of a file, and of the hooks of the file and its suites. */
function listOutcomes(module: TestModule): Outcome[] {
  const file = relative(process.cwd(), module.moduleId);
  // A file that cannot be loaded has errors and no tests.
  const hooksOf = (part: TestModule | TestSuite, name: string): Outcome => {
    const state = part.errors().length > 0 ? 'failed' : 'passed';
    return { id: part.id, file, name, isTest: false, state };
  };
  const suites = [...module.children.allSuites()].map((suite) => hooksOf(suite, `${file} > ${suite.fullName} (hooks)`));
  const tests = [...module.children.allTests()].map((test): Outcome => {
    const { state } = test.result();
    // A test that the run did not reach has not passed.
    return {
      id: test.id,
      file,
      name: `${file} > ${test.fullName}`,
      isTest: true,
      state: state === 'pending' ? 'failed' : state,
    };
  });
  return [hooksOf(module, file), ...suites, ...tests];
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

/** Returns how many tests were skipped, by reason. Those that a filter on names left out have none. */
function skippedTests(modules: readonly TestModule[]): string[] {
  const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
  const reasons = Map.groupBy(skipped, (test) => {
    const result = test.result();
    return result.state === 'skipped' ? result.note : undefined;
  });
  return [...reasons].map(([reason, tests]) => `Skipped ${count(tests.length, 'test')}: ${reason ?? 'not asked for'}`);
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
