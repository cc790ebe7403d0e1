import { t } from '../../i18n/translate.tsx';
import { closesAllReports, isReversible, type Decision } from './decisions.ts';

interface Scope {
  /** Whether the account is local. */
  readonly isLocal: boolean;
  /** Whether a report is decided, rather than an account. */
  readonly isReport: boolean;
  /** How many posts are chosen. */
  readonly posts: number;
}

/** Returns what a decision does, in sentences. */
export function listConsequences(decision: Decision, { isLocal, isReport, posts }: Scope): readonly string[] {
  const answer = { decision, statusIds: Array.from({ length: posts }, String) };
  return [
    ...describe(decision, { isLocal, posts }),
    ...(closesAllReports(answer) ? [t('consequence.closesAll')] : isReport ? [t('consequence.closesThis')] : []),
    t('consequence.strike'),
    isReversible(answer) ? t('consequence.reversible') : t('consequence.final'),
  ];
}

function describe(decision: Decision, { isLocal, posts }: Omit<Scope, 'isReport'>): readonly string[] {
  switch (decision) {
    case 'warn':
      return [t('consequence.warn')];
    case 'sensitive':
      return [posts === 0 ? t('consequence.sensitiveAccount') : t('consequence.sensitivePosts', { count: posts })];
    case 'delete':
      return [t('consequence.delete', { count: posts })];
    case 'limit':
      return [t('consequence.limit')];
    case 'disable':
      return [t('consequence.disable')];
    case 'suspend':
      return [isLocal ? t('consequence.suspendLocal') : t('consequence.suspendRemote')];
  }
}
