import type { TestContext } from 'vitest';
import { findPooler, findProgram } from '../bin/test-programs.mjs';

/** Skips the test with a reason if a program is not installed. In CI a missing program is an error. */
export function requireProgram(context: TestContext, ...names: readonly string[]): void {
  for (const name of names) {
    if (findProgram(name) === undefined)
      skipUnlessCi(context, `${name} is not installed: node bin/install-test-programs.mjs`);
  }
}

/** Skips the test if there is no PgBouncer that keeps prepared statements. In CI that is an error. */
export function requirePooler(context: TestContext): void {
  if (findPooler() === undefined)
    skipUnlessCi(context, 'PgBouncer 1.21 or newer is not installed: node bin/install-test-programs.mjs');
}

/** Skips the test with a reason. In CI, where everything must run, throws. */
export function skipUnlessCi({ skip }: TestContext, reason: string): void {
  if (process.env['CI'] !== undefined) throw new Error(reason);
  skip(reason);
}
