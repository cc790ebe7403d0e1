import { removeCachedFiles, type CachedFiles } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';

const dayMs = 86_400_000;

interface RemovalOptions {
  /** Minimum time since the last view. */
  readonly days: number;
  readonly dryRun?: boolean | undefined;
  readonly progress?: (share: number) => void;
}

/** Removes remote files from the cache of this machine that were not viewed for some days. Returns what was removed. */
export async function removeUnusedMedia(
  app: App,
  staff: Staff,
  { days, dryRun = false, progress }: RemovalOptions,
): Promise<CachedFiles> {
  const label = `not viewed for ${days} days`;
  if (!dryRun)
    await transaction(app, async (tx) => recordStaffAction(tx, staff, { target: 'media', verb: 'remove', label }));
  const before = new Date(app.clock.now().getTime() - days * dayMs);
  return removeCachedFiles(app, { before, dryRun, ...(progress && { progress }) });
}
