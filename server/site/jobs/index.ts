export { changeJobs, type JobChange } from './change-jobs.ts';
