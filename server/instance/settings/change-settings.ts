import { findLocalAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { invalidFieldsError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import { changeSiteSettings, type SiteSettingsChanges, type Staff } from '../../site/index.ts';

/** Changes settings as `changeSiteSettings` does. Throws also 422 if the account to contact does not exist. */
export async function changeSettings(app: App, staff: Staff, changes: SiteSettingsChanges): Promise<void> {
  const contact = changes.contactUsername?.trim().replace(/^@/, '');
  if (contact !== undefined && /^\w+$/.test(contact) && (await findLocalAccount(app, contact)) === undefined) {
    const description = message('problems.notFound');
    throw invalidFieldsError([{ field: 'contact_username', error: 'ERR_INVALID', description }]);
  }
  await changeSiteSettings(app, staff, {
    ...changes,
    ...(contact !== undefined && { contactUsername: contact }),
  });
}
