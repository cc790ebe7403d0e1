import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { siteSettingsChanged } from '../events.ts';
import { recordStaffAction } from '../audit/record-staff-action.ts';
import { staffAccountId, type Staff } from '../staff.ts';
import { assertEffectiveDate, parseTermsTexts, type TermsInput } from './parse-terms.ts';
import { dayOf } from './terms-of-service.ts';

/**
 * Publishes terms of service that apply from a day on (today by default). Replaces a version of the same day. Returns the
 * day. Throws 422 for a day in the past, and for an empty or too long text.
 */
export async function publishTermsOfService(app: App, staff: Staff, terms: TermsInput): Promise<string> {
  return transaction(app, (tx) => storeVersion(tx, app, staff, terms));
}

/** Does the same in a transaction. */
export async function storeVersion(tx: Transaction, app: App, staff: Staff, terms: TermsInput): Promise<string> {
  const { db, emit } = tx;
  const now = app.clock.now();
  const effectiveDate = terms.effectiveDate ?? dayOf(now);
  assertEffectiveDate(effectiveDate, now);
  const { content, changelog } = parseTermsTexts(terms);
  const { rows } = await sql<{ content: string; changelog: string }>`
    select content, changelog from terms_of_service where effective_date = ${effectiveDate}::date for update`.execute(
    db,
  );
  await sql`
    insert into terms_of_service (effective_date, content, changelog, published_at, updated_at)
    values (${effectiveDate}::date, ${content}, ${changelog}, ${now}, ${now})
    on conflict (effective_date) do update set content = excluded.content, changelog = excluded.changelog,
      published_at = excluded.published_at, notified_at = null, updated_at = excluded.updated_at`.execute(db);
  emit(siteSettingsChanged({ names: ['termsOfService'], staffId: staffAccountId(staff) }));
  recordStaffAction(tx, staff, {
    target: 'terms_of_service',
    verb: 'publish',
    id: effectiveDate,
    label: effectiveDate,
    before: rows[0] && { ...rows[0] },
    after: { content, changelog },
  });
  return effectiveDate;
}
