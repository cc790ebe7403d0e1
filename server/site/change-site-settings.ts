import type { App } from '../platform/app.ts';
import { write as inTransaction } from '../platform/database/write.ts';
import { siteSettingsChanged } from './events.ts';
import { staffAccountId, type Staff } from './staff.ts';
import { updateSiteSettings, type SiteChanges } from './update-site-settings.ts';

/** Changes settings in the name of staff, in every process from the next request on. Throws 422 naming each invalid value. */
export async function changeSiteSettings(app: App, staff: Staff, changes: SiteChanges): Promise<void> {
  await inTransaction(app, async (write) => {
    await updateSiteSettings(write, app, changes);
    write.emit(siteSettingsChanged({ names: Object.keys(changes), staffId: staffAccountId(staff) }));
  });
}
