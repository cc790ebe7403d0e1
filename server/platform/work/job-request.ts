import type { FetchBudgetId } from '../ids.ts';
import type { Queue } from './queues.ts';

export interface JobOptions {
  /** Not before this time. */
  readonly runAt?: Date;
  /**
   * Jobs of one key run one at a time in the order stored; a failed one is retried before later ones run. A delayed job
   * (`runAt`) takes its place when it is due: due jobs do not wait for it.
   */
  readonly key?: string;
  /** Not stored if a job of this key, name and data waits: a repeated job does not store its next batch twice. */
  readonly isUnique?: boolean;
  /** Remote host that the job depends on. Jobs of one host cannot take all lanes. */
  readonly host?: string;
  /** The fetch budget of the job. Default: that of the App that stores it. */
  readonly fetchBudgetId?: FetchBudgetId | null;
}

export interface JobRequest extends JobOptions {
  readonly name: string;
  readonly queue: Queue;
  readonly data: unknown;
}
