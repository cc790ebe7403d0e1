import type { JobOptions, JobRequest } from './job-request.ts';
import type { Static, TObject } from 'typebox';
import type { App } from '../app.ts';
import type { JobHandler } from '../write/subscriptions.ts';
import type { Queue } from './queues.ts';

/** A stored job that no event causes: for later, or one batch of a longer job. */
export interface JobType<Name extends string, Schema extends TObject> {
  (data: Static<Schema>, options?: JobOptions): JobRequest;
  readonly subscription: JobHandler;
  readonly job: Name;
  readonly schema: Schema;
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
