/** Maintenance: finds and repairs rows that contradict others. */
export { runChecks, type CheckResult } from './run-checks.ts';
