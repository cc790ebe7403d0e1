import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { providersChanged } from '../events.ts';
import type { CallError } from '../schema.ts';
import { writable, type ProviderRow } from '../tables.ts';

const firstPauseMs = 10_000;
const maxPauseMs = 3_600_000;

/** Records that a call succeeded, which ends a pause. */
export async function recordSuccess(app: App, { id, failures }: ProviderRow): Promise<void> {
  if (failures === 0) return;
  await transaction(app, async ({ db, emit }) => {
    await writable(db)
      .updateTable('service_providers')
      .set({ failures: 0, failing_since: null, last_error: null, last_status: null, retry_at: null })
      .where('id', '=', id)
      .execute();
    emit(providersChanged({}));
  });
}

/** Records that a call failed. The provider is left alone for longer with each failure, or as long as it asks. */
export async function recordFailure(
  app: App,
  { id }: ProviderRow,
  error: {
    readonly reason: CallError;
    readonly status: number | undefined;
    readonly retryAfterSeconds: number | undefined;
  },
): Promise<void> {
  const now = app.clock.now();
  await transaction(app, async ({ db, emit }) => {
    const row = await db
      .selectFrom('service_providers')
      .select(['failures', 'failing_since'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return;
    const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(row.failures, 20), maxPauseMs);
    await writable(db)
      .updateTable('service_providers')
      .set({
        failures: row.failures + 1,
        failing_since: row.failing_since ?? now,
        last_error: error.reason,
        last_status: error.status ?? null,
        retry_at: new Date(now.getTime() + Math.max(pauseMs, (error.retryAfterSeconds ?? 0) * 1_000)),
      })
      .where('id', '=', id)
      .execute();
    emit(providersChanged({}));
  });
}
