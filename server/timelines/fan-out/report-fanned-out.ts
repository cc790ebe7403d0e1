import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { statusFannedOut, type FanOutPart } from '../events.ts';

/** Emits that the last batches of a fan-out are stored. */
export async function reportFannedOut(
  app: App,
  statusIds: readonly StatusId[],
  partsOf: (statusId: StatusId) => readonly FanOutPart[],
): Promise<void> {
  await transaction(app, async ({ emit }) => {
    for (const statusId of statusIds) emit(statusFannedOut({ statusId, parts: [...partsOf(statusId)] }));
  });
}
