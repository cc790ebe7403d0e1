import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Ends the run with one plain line that any CI can read: `N passed, N failed`. */
// vitest loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export
export default class ClosingLine implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    let failed = errors.length;
    let skipped = 0;
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state);
      passed += states.filter((state) => state === 'passed').length;
      skipped += states.filter((state) => state === 'skipped').length;
      failed += states.filter((state) => state === 'failed').length;
      // A file that cannot even be loaded has no tests that could fail.
      if (module.state() === 'failed' && !states.includes('failed')) failed += 1;
    }
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
    // After vitest's own summary, whatever the order of reporters.
    if (this.#vitest === undefined) process.stdout.write(line);
    else this.#vitest.onClose(() => void process.stdout.write(line));
  }
}
