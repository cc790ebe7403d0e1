import type { GeneratedAlways, Generated, JSONColumnType } from 'kysely';
import type { JobId } from '../ids.ts';

export interface JobTables {
  jobs: {
    id: GeneratedAlways<JobId>;
    queue: string;
    name: string;
    data: JSONColumnType<object>;
    key: string | null;
    attempts: Generated<number>;
    run_at: Date;
    leased_until: Date | null;
    created_at: Generated<Date>;
    last_error: string | null;
    exhausted_at: Date | null;
  };
  schedule_slots: { schedule: string; slot: Date };
}
