import type { App } from '../../platform/app.ts';
import { MovingStorage } from '../../platform/storage/moving-storage.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';

/**
 * Moves all stored files to the place that MEDIA_MOVE names, while processes with the same setting serve them. Returns how
 * many files and bytes. Throws if MEDIA_MOVE is not set, or a place does not answer; what was moved stays moved.
 */
export async function moveStoredFiles(
  app: App,
  staff: Staff,
  { place, progress }: { readonly place: 'bucket' | 'disk'; readonly progress?: (share: number) => void },
): Promise<{ readonly files: number; readonly bytes: number }> {
  const { storage } = app;
  if (!(storage instanceof MovingStorage)) throw new Error('MEDIA_MOVE is not set');
  await transaction(app, async (tx) =>
    recordStaffAction(tx, staff, { target: 'media', verb: 'move', label: `to ${place}` }),
  );
  const total = Math.max(await storage.countSource(), 1);
  const moved = { files: 0, bytes: 0 };
  await storage.moveAll((bytes) => {
    moved.files += 1;
    moved.bytes += bytes;
    progress?.(Math.min(moved.files / total, 1));
  });
  return moved;
}
