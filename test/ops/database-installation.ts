import { Installation, type ExitResult } from './cli-process.ts';
import type { EmptyDatabase } from './database.ts';
import { runHere } from './run-in-process.ts';

/** An installation on a database of the test run. Commands that are not started with `run` run in this process. */
export class DatabaseInstallation extends Installation {
  constructor({ url }: EmptyDatabase, settings: Readonly<Record<string, string>> = {}) {
    super({ DATABASE_URL: url, ...settings });
  }

  override runToEnd(...args: string[]): Promise<ExitResult> {
    return runHere(this, ...args);
  }
}
