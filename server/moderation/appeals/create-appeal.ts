import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { invalidField, notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { exceedsLimit } from '../../text/index.ts';
import { appealCreated } from '../events.ts';
import { writable } from '../tables.ts';
import type { WarningId } from '../warnings/schema.ts';

/** Characters (reference/limits.tsv). */
export const maxAppealLength = 2_000;
/** Days in which a decision can be appealed (reference/limits.tsv). */
const appealDays = 20;
const dayMs = 86_400_000;

/** Returns the last moment at which a decision can be appealed. */
export const appealDeadline = (decidedAt: Date): Date => new Date(decidedAt.getTime() + appealDays * dayMs);

/**
 * Stores the appeal of a user against a decision about their account. Throws 404 if it is not about this account, 422 if it
 * was appealed before, is too old, or the text is blank or too long.
 */
export async function createAppeal(
  app: App,
  accountId: AccountId,
  { warningId, text }: { readonly warningId: WarningId; readonly text: string },
): Promise<void> {
  const trimmed = text.trim();
  await transaction(app, async ({ db, emit }) => {
    const warning = await db
      .selectFrom('account_warnings')
      .select('created_at')
      .where('id', '=', warningId)
      .where('account_id', '=', accountId)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound());
    if (trimmed === '') throw invalidField('text', 'problems.blank');
    if (exceedsLimit(trimmed, maxAppealLength))
      throw invalidField('text', 'problems.tooLong', { max: maxAppealLength });
    const now = app.clock.now();
    if (now > appealDeadline(warning.created_at))
      throw validationFailed('moderation.appealTooLate', { days: appealDays });
    const id = newId<'appeal'>(now);
    const { numInsertedOrUpdatedRows } = await writable(db)
      .insertInto('appeals')
      .values({ id, warning_id: warningId, account_id: accountId, text: trimmed, created_at: now })
      .onConflict((conflict) => conflict.column('warning_id').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) {
      const before = await db
        .selectFrom('appeals')
        .select('text')
        .where('warning_id', '=', warningId)
        .executeTakeFirstOrThrow();
      // A form that was submitted twice.
      if (before.text === trimmed) return;
      throw validationFailed('moderation.appealedBefore');
    }
    emit(appealCreated({ appealId: id, accountId }));
  });
}
