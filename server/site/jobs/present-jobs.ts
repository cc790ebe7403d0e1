import type { JobCount, ListedJob } from '../../platform/work/manage-jobs.ts';
import type { AdminJob, AdminJobCount } from './schema.ts';

/** Builds the JSON of a job. */
export const presentJob = ({ subscribers, run_at, data: _data, ...job }: ListedJob): AdminJob => ({
  ...job,
  reactions: subscribers === null ? null : [...subscribers],
  run_at: run_at.toISOString(),
});

/** Builds the JSON of a count. */
export const presentCount = ({ first_due_at, ...count }: JobCount): AdminJobCount => ({
  ...count,
  first_due_at: first_due_at.toISOString(),
});
