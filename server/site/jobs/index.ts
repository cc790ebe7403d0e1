// Stored jobs, as staff see and change them.
export { changeJobs, type JobChange } from './change-jobs.ts';
