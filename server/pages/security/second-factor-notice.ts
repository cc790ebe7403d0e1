import type { Html } from '../../platform/http/html.ts';
import { formatDay } from '../../platform/i18n/format-day.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { notice } from '../render/forms.ts';
import type { Visitor } from '../visitor.ts';

/** Renders that the account lost its second factor or needs one, or from when on. Undefined if neither. */
export function secondFactorNotice({ t }: Visitor, session: Session): Html | undefined {
  const { refusal, secondFactorFrom } = session;
  if (session.lostSecondFactor) return notice(t('securitySettings.lostSecondFactor'), 'bad');
  if (refusal === 'lacksSecondFactor') return notice(t('users.lacksSecondFactor'), 'bad');
  if (secondFactorFrom === undefined) return undefined;
  return notice(t('security.requiredFrom', { date: formatDay(t, secondFactorFrom) }));
}
