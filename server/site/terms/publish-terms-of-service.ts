import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction as inTransaction } from '../../platform/database/transaction.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import { sanitizeHtml } from '../../text/index.ts';
import { siteSettingsChanged } from '../events.ts';
import { staffAccountId, type Staff } from '../staff.ts';
import { dayOf } from './terms-of-service.ts';

/** Characters. */
const maxContentLength = 100_000;

/**
 * Publishes terms of service that apply from a day on (`YYYY-MM-DD` in UTC; today by default). Replaces a version of the same
 * day. Returns the day. Throws 422 for a day in the past, and for an empty or too long text.
 */
export async function publishTermsOfService(
  app: App,
  staff: Staff,
  terms: { readonly content: string; readonly effectiveDate?: string | undefined },
): Promise<string> {
  const now = app.clock.now();
  const effectiveDate = terms.effectiveDate ?? dayOf(now);
  const instant = new Date(`${effectiveDate}T00:00:00.000Z`);
  const isDay = !Number.isNaN(instant.getTime()) && dayOf(instant) === effectiveDate;
  if (!isDay) throw validationFailed(`Effective date is not a date such as 2026-12-31: ${effectiveDate}`);
  if (effectiveDate < dayOf(now)) throw validationFailed('Effective date must not be in the past');
  const content = sanitizeHtml(terms.content, Infinity).trim();
  if (content === '') throw validationFailed("Content can't be blank");
  if (content.length > maxContentLength)
    throw validationFailed(`Content is too long (maximum is ${maxContentLength} characters)`);
  await inTransaction(app, async ({ db, emit }) => {
    await sql`
      insert into terms_of_service (effective_date, content, updated_at)
      values (${effectiveDate}::date, ${content}, ${now})
      on conflict (effective_date) do update set content = excluded.content, updated_at = excluded.updated_at`.execute(
      db,
    );
    emit(siteSettingsChanged({ names: ['termsOfService'], staffId: staffAccountId(staff) }));
  });
  return effectiveDate;
}
