import { defineCounter } from '../metrics/define-counter.ts';

/** Attempts of jobs in this process: `done` or `failed`. */
export const jobResults = defineCounter({
  name: 'fieldfare_job_attempts_total',
  help: 'Attempts to run jobs in this process',
  labels: ['job', 'result'],
});
