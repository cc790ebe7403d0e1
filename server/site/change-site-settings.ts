import type { App } from '../platform/app.ts';
import { transaction as inTransaction } from '../platform/database/transaction.ts';
import { siteSettingsChanged } from './events.ts';
import { staffAccountId, type Staff } from './staff.ts';
import { updateSiteSettings, type SiteSettingsChanges } from './update-site-settings.ts';

/** Changes settings in the name of staff, in every process from the next request on. Throws 422 naming each invalid value. */
export async function changeSiteSettings(app: App, staff: Staff, changes: SiteSettingsChanges): Promise<void> {
  await inTransaction(app, async (tx) => {
    await updateSiteSettings(tx, app, changes);
    tx.emit(siteSettingsChanged({ names: Object.keys(changes), staffId: staffAccountId(staff) }));
  });
}
