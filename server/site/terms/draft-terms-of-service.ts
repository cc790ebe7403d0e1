import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { recordStaffAction } from '../audit/record-staff-action.ts';
import type { Staff } from '../staff.ts';
import { writable } from '../tables.ts';
import { assertEffectiveDate, parseTermsTexts, type TermsInput } from './parse-terms.ts';
import { storeVersion } from './publish-terms-of-service.ts';

/** The version of the terms of service that staff prepare. */
export interface TermsDraft {
  /** Safe HTML. */
  readonly content: string;
  readonly changelog: string;
  /** `YYYY-MM-DD`; null for the day of its publication. */
  readonly effectiveDate: string | null;
}

const draftColumns = [
  'content' as const,
  'changelog' as const,
  sql<string | null>`effective_date::text`.as('effectiveDate'),
];

/** Stores the draft of the next version, in place of the last draft. Throws 422 as `publishTermsOfService`. */
export async function saveTermsDraft(app: App, staff: Staff, terms: TermsInput): Promise<void> {
  const now = app.clock.now();
  const { content, changelog } = parseTermsTexts(terms);
  const effectiveDate = terms.effectiveDate ?? null;
  if (effectiveDate !== null) assertEffectiveDate(effectiveDate, now);
  await transaction(app, async (tx) => {
    const { db } = tx;
    const before = await db.selectFrom('terms_of_service_drafts').select(draftColumns).forUpdate().executeTakeFirst();
    await sql`
      insert into terms_of_service_drafts (content, changelog, effective_date, updated_at)
      values (${content}, ${changelog}, ${effectiveDate}::date, ${now})
      on conflict (id) do update set content = excluded.content, changelog = excluded.changelog,
        effective_date = excluded.effective_date, updated_at = excluded.updated_at`.execute(db);
    recordDraft(tx, staff, 'draft', { before, after: { content, changelog, effectiveDate } });
  });
}

/** Returns the draft; undefined if there is none. */
export async function findTermsDraft({ db }: Pick<App, 'db'>): Promise<TermsDraft | undefined> {
  return db.selectFrom('terms_of_service_drafts').select(draftColumns).executeTakeFirst();
}

/**
 * Publishes the draft, from its day on unless another one is given. Returns the day. Throws 404 if there is no draft, 422 if
 * its day has passed.
 */
export async function publishTermsDraft(app: App, staff: Staff, effectiveDate?: string): Promise<string> {
  return transaction(app, async (tx) => {
    // One statement, so that a draft that is saved in the meantime is not deleted unread.
    const draft = await writable(tx.db)
      .deleteFrom('terms_of_service_drafts')
      .returning(draftColumns)
      .executeTakeFirstOrThrow(() => notFound());
    const { effectiveDate: draftedDate, ...texts } = draft;
    return storeVersion(tx, app, staff, { ...texts, effectiveDate: effectiveDate ?? draftedDate ?? undefined });
  });
}

/** Deletes the draft. Throws 404 if there is none. */
export async function discardTermsDraft(app: App, staff: Staff): Promise<void> {
  await transaction(app, async (tx) => {
    const before = await writable(tx.db)
      .deleteFrom('terms_of_service_drafts')
      .returning(draftColumns)
      .executeTakeFirstOrThrow(() => notFound());
    recordDraft(tx, staff, 'discard', { before, after: undefined });
  });
}

function recordDraft(
  tx: Transaction,
  staff: Staff,
  verb: 'draft' | 'discard',
  { before, after }: Readonly<Record<'before' | 'after', TermsDraft | undefined>>,
): void {
  recordStaffAction(tx, staff, {
    target: 'terms_of_service',
    verb,
    label: 'draft',
    before: before && { ...before },
    after: after && { ...after },
  });
}
