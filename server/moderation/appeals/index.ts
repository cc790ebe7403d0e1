// Appeals of users against decisions of staff about them.
export { createAppeal, appealDeadline, maxAppealLength } from './create-appeal.ts';
export { approveAppeal, rejectAppeal } from './decide-appeal.ts';
export { listAppeals } from './list-appeals.ts';
export type { AppealState } from './schema.ts';
