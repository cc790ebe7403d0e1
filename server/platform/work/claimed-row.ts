import type { FetchBudgetId, JobId } from '../ids.ts';
import type { Lease } from './leases.ts';

/** A claimed row of `jobs`: one job, or an event with the reactions to it that did not run yet. */
export interface ClaimedRow extends Lease {
  readonly id: JobId;
  /** Name of the job, or of the event. */
  readonly name: string;
  /** Names of the reactions; null for a job. */
  readonly subscribers: readonly string[] | null;
  readonly data: unknown;
  readonly host: string | null;
  /** Has a key, so that jobs of the same key may wait for it. */
  readonly isKeyed: boolean;
  readonly fetchBudgetId: FetchBudgetId | null;
  /** The span that stored it. */
  readonly traceParent: string | null;
}
