import type { QuoteApproval } from '../api/entities.ts';

export type QuotePolicy = 'public' | 'followers' | 'nobody';

/** Returns the quote policy that a posted status has. */
export function quotePolicyOf({ automatic, manual }: Pick<QuoteApproval, 'automatic' | 'manual'>): QuotePolicy {
  const groups = [...automatic, ...manual];
  if (groups.includes('public')) return 'public';
  return groups.includes('followers') ? 'followers' : 'nobody';
}
