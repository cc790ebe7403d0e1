export type ReportCategory = 'spam' | 'legal' | 'violation' | 'other';
export type ReportStep = 'category' | 'rules' | 'posts' | 'comment';

/** A report while it is filled in. */
export interface ReportDraft {
  readonly category: ReportCategory | undefined;
  readonly ruleIds: readonly string[];
  readonly statusIds: readonly string[];
  readonly collectionIds: readonly string[];
  readonly comment: string;
  readonly forward: boolean;
}

/** Returns a report about these posts and collections with nothing else chosen. */
export const emptyDraft = (statusIds: readonly string[], collectionIds: readonly string[] = []): ReportDraft => ({
  category: undefined,
  ruleIds: [],
  statusIds,
  collectionIds,
  comment: '',
  forward: false,
});

/** Returns the steps of a report. Only a report of broken rules asks which. */
export const stepsOf = ({ category }: ReportDraft): readonly ReportStep[] =>
  category === 'violation' ? ['category', 'rules', 'posts', 'comment'] : ['category', 'posts', 'comment'];

/** Returns whether a step has what it needs. */
export function isStepComplete(step: ReportStep, { category, ruleIds }: ReportDraft): boolean {
  if (step === 'category') return category !== undefined;
  return step !== 'rules' || ruleIds.length > 0;
}

/** Returns the body of the request. */
export const toReportInput = (accountId: string, draft: ReportDraft) => ({
  account_id: accountId,
  category: draft.category ?? 'other',
  rule_ids: draft.category === 'violation' ? draft.ruleIds : [],
  status_ids: draft.statusIds,
  collection_ids: draft.collectionIds,
  comment: draft.comment,
  forward: draft.forward,
});
