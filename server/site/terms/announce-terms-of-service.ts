import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { recordStaffAction } from '../audit/record-staff-action.ts';
import { siteSettingsChanged, termsAnnounced } from '../events.ts';
import { staffAccountId, type Staff } from '../staff.ts';

/**
 * Notifies users by mail of the version of the terms of service that applies from a day on, once. Throws 404 if there is
 * none, 422 if they were notified already.
 */
export async function announceTermsOfService(app: App, staff: Staff, effectiveDate: string): Promise<void> {
  await transaction(app, async (tx) => {
    const { db, emit } = tx;
    const { rows } = await sql<{ notified_at: Date | null }>`
      select notified_at from terms_of_service where effective_date::text = ${effectiveDate} for update`.execute(db);
    const [version] = rows;
    if (version === undefined) throw notFound();
    if (version.notified_at !== null) throw validationFailed('site.alreadyAnnounced');
    const now = app.clock.now();
    await sql`
      update terms_of_service set notified_at = ${now} where effective_date = ${effectiveDate}::date`.execute(db);
    emit(termsAnnounced({ effectiveDate, announcedAt: now.toISOString() }));
    emit(siteSettingsChanged({ names: ['termsOfService'], staffId: staffAccountId(staff) }));
    recordStaffAction(tx, staff, {
      target: 'terms_of_service',
      verb: 'announce',
      id: effectiveDate,
      label: effectiveDate,
      before: { announced: false },
      after: { announced: true },
    });
  });
}
