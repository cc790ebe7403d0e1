import type { App } from '../../platform/app.ts';
import { forbidden, invalidFieldsError, type FieldError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import { checkSignUpEmail, type EmailVerdict } from '../email-blocks/find-email-blocks.ts';
import { ipSeverity } from '../ip-blocks/ip-policy.ts';
import { emailTakenError } from './check-sign-up.ts';

const emailBlockedError: FieldError = {
  field: 'email',
  error: 'ERR_BLOCKED',
  description: message('problems.blockedEmailProvider'),
};

/** Returns whether a block of the IP address holds a sign-up for approval. Throws 403 if one refuses it. */
export async function needsApprovalByIp(app: App, ip: string | undefined): Promise<boolean> {
  const severity = ip === undefined ? undefined : await ipSeverity(app, ip);
  if (severity === 'sign_up_block' || severity === 'no_access') throw forbidden();
  return severity === 'sign_up_requires_approval';
}

/**
 * Returns whether the blocks of e-mail domains hold a sign-up for approval. Throws 422 if the address is blocked. One that is
 * blocked by itself counts as taken, like that of an account.
 */
export async function needsApprovalByEmail(app: App, email: string, ip?: string): Promise<boolean> {
  const verdict: EmailVerdict = await checkSignUpEmail(app, email, ip);
  if (verdict === 'blocked_domain') throw invalidFieldsError([emailBlockedError]);
  if (verdict === 'blocked_address') throw invalidFieldsError([emailTakenError]);
  return verdict === 'needs_approval';
}
