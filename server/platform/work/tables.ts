import type { GeneratedAlways, Generated, JSONColumnType } from 'kysely';
import type { FetchBudgetId, JobId } from '../ids.ts';

export interface JobTables {
  jobs: {
    id: GeneratedAlways<JobId>;
    queue: string;
    /** Name of the job, or of the event that `subscribers` react to. */
    name: string;
    /** Reactions to an event that did not run yet; null for a job. */
    subscribers: string[] | null;
    data: JSONColumnType<object>;
    key: string | null;
    /** Remote host that the job depends on. */
    host: string | null;
    attempts: Generated<number>;
    run_at: Date;
    leased_until: Date | null;
    lease_holder: string | null;
    created_at: Generated<Date>;
    last_error: string | null;
    exhausted_at: Date | null;
    fetch_budget_id: FetchBudgetId | null;
    /** The span that stored it, as the header `traceparent`. */
    trace_parent: string | null;
  };
  /** Processes that hold leases. */
  lease_holders: {
    id: string;
    lock_key: GeneratedAlways<number>;
    beat_at: Generated<Date>;
    /** Where its process id is valid; null if unknown. */
    machine: string | null;
    process_id: number | null;
    process_started: string | null;
    /** The queues whose work it does; null: all. */
    queues: string[] | null;
    /** Version of Fieldfare. */
    version: string | null;
    /** Contract migrations that it knows. */
    contracts: string[] | null;
  };
  fetch_budgets: { id: FetchBudgetId; requests: Generated<number>; milliseconds: Generated<number>; started_at: Date };
  schedule_slots: { schedule: string; slot: Date };
  /** Where schedules that work through a table in turns continue, by their names. Its own name is that of the first one. */
  retention_progress: { kind: string; last_id: string };
}
