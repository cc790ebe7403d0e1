import { invalidField } from '../platform/http/http-errors.ts';
import { cleanText, exceedsLimit } from '../text/index.ts';
import type { Posting } from './tables.ts';

/** Settings of a group beside its profile. Absent ones stay. */
export interface GroupSettings {
  readonly posting?: Posting | undefined;
  readonly moderated?: boolean | undefined;
  readonly rules?: string | undefined;
}

const maxRulesLength = 5_000;

/** Returns the columns that these settings change. Throws 422 for rules that are too long. */
export function settingColumns({ posting, moderated, rules }: GroupSettings) {
  const text = rules === undefined ? undefined : cleanText(rules).trim();
  if (exceedsLimit(text ?? '', maxRulesLength))
    throw invalidField('rules', 'problems.tooLong', { max: maxRulesLength });
  return {
    ...(posting !== undefined && { posting }),
    ...(moderated !== undefined && { moderated }),
    ...(text !== undefined && { rules: text }),
  };
}
