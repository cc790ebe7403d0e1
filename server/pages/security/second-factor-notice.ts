import type { Html } from '../../platform/http/html.ts';
import { formatDay } from '../../platform/i18n/format-day.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { notice } from '../render/forms.ts';
import type { Visitor } from '../visitor.ts';

/** Renders that the account needs a second factor, or from when on. Undefined if it does not. */
export function secondFactorNotice({ t }: Visitor, { refusal, secondFactorFrom }: Session): Html | undefined {
  if (refusal === 'lacksSecondFactor') return notice(t('users.lacksSecondFactor'), 'bad');
  if (secondFactorFrom === undefined) return undefined;
  return notice(t('security.requiredFrom', { date: formatDay(t, secondFactorFrom) }));
}
