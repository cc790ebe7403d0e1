import type { Static, TObject } from 'typebox';
import type { App } from '../app.ts';
import type { JobHandler } from '../events/reactions.ts';
import type { FetchBudgetId } from '../ids.ts';
import type { Queue } from './queues.ts';

/** A stored job that no event causes: for later, or one batch of a longer job. */
export interface JobType<Name extends string, Schema extends TObject> {
  (data: Static<Schema>, options?: JobOptions): JobRequest;
  readonly subscription: JobHandler;
  readonly job: Name;
  readonly schema: Schema;
}

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

/**
 * Declares a job, named `domain.verb_noun`. List its `subscription` in the domain's `subscriptions`; store one with
 * `enqueue` in a transaction.
 */
export function defineJob<Name extends string, Schema extends TObject>(
  name: Name,
  schema: Schema,
  run: (app: App, data: Static<Schema>) => Promise<void>,
  queue: Queue = 'default',
): JobType<Name, Schema> {
  const subscription: JobHandler = {
    kind: 'job',
    events: [],
    name,
    queue,
    run: (app, data) => run(app, data as Static<Schema>),
  };
  return Object.assign((data: Static<Schema>, options: JobOptions = {}) => ({ ...options, name, queue, data }), {
    subscription,
    job: name,
    schema,
  });
}
