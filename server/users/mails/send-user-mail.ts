import type { App } from '../../platform/app.ts';
import { isRejectedRecipient, type MailMessage } from '../../platform/mail.ts';
import { toError } from '../../platform/errors.ts';

/**
 * Sends a mail to a user. No-op if the mail server rejects the address permanently: the job would fail for two days and
 * stay as a failed one.
 */
export async function sendUserMail(app: App, mail: MailMessage): Promise<void> {
  try {
    await app.mail.send(mail);
  } catch (error) {
    if (!isRejectedRecipient(error)) throw error;
    app.log.warn({ reason: toError(error).message }, 'the mail server rejected the address of a user');
  }
}
