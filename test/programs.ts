import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'vitest';

/** Skips the test with a reason if a program is not installed. In CI a missing program is an error. */
export function requireProgram(context: TestContext, ...names: readonly string[]): void {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const name of names) {
    if (!folders.some((folder) => existsSync(join(folder, name))))
      skipUnlessCi(context, `${name} is not installed: node bin/install-test-programs.mjs`);
  }
}

/** Skips the test with a reason. In CI, where everything must run, throws. */
export function skipUnlessCi({ skip }: TestContext, reason: string): void {
  if (process.env['CI'] !== undefined) throw new Error(reason);
  skip(reason);
}
