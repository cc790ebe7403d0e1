import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction as inTransaction } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Staff } from '../staff.ts';
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
export async function saveTermsDraft(app: App, terms: TermsInput): Promise<void> {
  const now = app.clock.now();
  const { content, changelog } = parseTermsTexts(terms);
  const effectiveDate = terms.effectiveDate ?? null;
  if (effectiveDate !== null) assertEffectiveDate(effectiveDate, now);
  await inTransaction(app, async ({ db }) => {
    await sql`
      insert into terms_of_service_drafts (content, changelog, effective_date, updated_at)
      values (${content}, ${changelog}, ${effectiveDate}::date, ${now})
      on conflict (id) do update set content = excluded.content, changelog = excluded.changelog,
        effective_date = excluded.effective_date, updated_at = excluded.updated_at`.execute(db);
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
  return inTransaction(app, async (tx) => {
    // One statement, so that a draft that is saved in the meantime is not deleted unread.
    const draft = await tx.db.deleteFrom('terms_of_service_drafts').returning(draftColumns).executeTakeFirst();
    if (draft === undefined) throw notFound();
    const { effectiveDate: draftedDate, ...texts } = draft;
    return storeVersion(tx, app, staff, { ...texts, effectiveDate: effectiveDate ?? draftedDate ?? undefined });
  });
}

/** Deletes the draft. Throws 404 if there is none. */
export async function discardTermsDraft(app: App): Promise<void> {
  await inTransaction(app, async ({ db }) => {
    const { numDeletedRows } = await db.deleteFrom('terms_of_service_drafts').executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw notFound();
  });
}
