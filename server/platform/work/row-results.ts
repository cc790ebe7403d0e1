import type { ClaimedRow } from './claimed-row.ts';

/** What became of a job. `released`: it was not started, and does not count as an attempt. */
export type JobResult =
  | { readonly name: string; readonly kind: 'done' | 'released' }
  | { readonly name: string; readonly kind: 'failed'; readonly error: unknown };

/** Results of a claimed row to record. */
export interface RowOutcome {
  readonly row: ClaimedRow;
  readonly results: readonly JobResult[];
  /** False while some of its jobs are still running. */
  readonly isComplete: boolean;
}

/** Reactions to one event usually end within milliseconds of each other. */
const recordAfterMs = 1_000;

/**
 * Collects the results of the jobs of a claimed row, so that they are recorded together. If some of the jobs take longer
 * than a second after the first one ended, the results of the others are recorded without them.
 */
export class RowResults {
  readonly #row: ClaimedRow;
  #results: JobResult[] = [];
  #running: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(row: ClaimedRow) {
    this.#row = row;
    this.#running = row.subscribers?.length ?? 1;
  }

  /** Adds a result and returns what is to be recorded now. `report`: receives what is to be recorded later. */
  add(result: JobResult, report?: (outcome: RowOutcome) => void): readonly RowOutcome[] {
    this.#results.push(result);
    this.#running -= 1;
    if (this.#running > 0) {
      if (report !== undefined) this.#timer ??= setTimeout(() => this.#reportPart(report), recordAfterMs).unref();
      return [];
    }
    clearTimeout(this.#timer);
    return [{ row: this.#row, results: this.#results, isComplete: true }];
  }

  /** The lease stays while a job runs, so released jobs wait for the end. */
  #reportPart(report: (outcome: RowOutcome) => void): void {
    this.#timer = undefined;
    const results = this.#results.filter(({ kind }) => kind !== 'released');
    this.#results = this.#results.filter(({ kind }) => kind === 'released');
    report({ row: this.#row, results, isComplete: false });
  }
}
