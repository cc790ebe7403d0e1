import { removeCachedFiles } from '../../media/proxy/index.ts';
import { countOldNotifications, deleteOldNotifications } from '../../notifications/index.ts';
import type { App } from '../../platform/app.ts';
import { idFromDate, minId, type StatusId } from '../../platform/ids.ts';
import { continueWalk, type WalkedBatch } from '../../platform/work/continue-walk.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { siteSettings } from '../../site/index.ts';
import { retentionRule } from './find-needed-statuses.ts';
import { removeEditBatch } from './remove-old-edits.ts';
import { removeStatusBatch } from './remove-old-statuses.ts';

const dayMs = 86_400_000;
/** Rows that a run of the schedule examines, of each kind: 1.4 million a day. */
const maxExamined = 10_000;

/** What is examined in the order of its ids, and the setting with the age from which it is deleted. */
const ageOf = { posts: 'remotePostRetentionDays', edits: 'remoteEditRetentionDays' } as const;
type Kind = keyof typeof ageOf;
const kinds: readonly Kind[] = ['posts', 'edits'];

interface Batch extends WalkedBatch {
  readonly removed: number;
}

/**
 * Deletes remote posts and their edits by the settings of the site. Each run examines some rows, from where the last one
 * stopped to the newest old one, and then from the start: what is needed today may not be needed next week.
 */
export const applyRetention: Schedule = {
  name: 'federation.apply_retention',
  pattern: '*/10 * * * *',
  async run(app) {
    const settings = await siteSettings(app);
    for (const kind of kinds)
      if (settings[ageOf[kind]] > 0)
        await continueWalk(app, kind, {
          maxExamined,
          examine: (after) => examineBatch(app, kind, after, { dryRun: false }),
        });
  },
};

/** Removes remote files that were not viewed lately from the cache of the machine that runs the schedule. */
export const removeOldFiles: Schedule = {
  name: 'federation.remove_old_files',
  pattern: '47 2 * * *',
  async run(app) {
    const { remoteMediaRetentionDays: days } = await siteSettings(app);
    if (days > 0) await removeCachedFiles(app, { before: daysAgo(app, days) });
  },
};

/** What the settings delete of a kind. */
export interface RetentionResult {
  readonly kind: Kind | 'files' | 'notifications';
  /** 0: nothing is deleted. */
  readonly days: number;
  /** Posts, posts with a history, files or notifications that were deleted, or would be. */
  readonly removed: number;
}

/** Applies all settings to everything at once, or only counts what they would delete. May be stopped at any time. */
export async function applyRetentionNow(
  app: App,
  { dryRun }: { readonly dryRun: boolean },
): Promise<RetentionResult[]> {
  const settings = await siteSettings(app);
  const { remoteMediaRetentionDays: fileDays, notificationRetentionDays: notificationDays } = settings;
  const before = daysAgo(app, fileDays);
  const notifications = dryRun ? countOldNotifications : deleteOldNotifications;
  return [
    { kind: 'posts', days: settings.remotePostRetentionDays, removed: await walkToEnd(app, 'posts', dryRun) },
    { kind: 'edits', days: settings.remoteEditRetentionDays, removed: await walkToEnd(app, 'edits', dryRun) },
    {
      kind: 'files',
      days: fileDays,
      removed: fileDays === 0 ? 0 : (await removeCachedFiles(app, { before, dryRun })).files,
    },
    {
      kind: 'notifications',
      days: notificationDays,
      removed: notificationDays === 0 ? 0 : await notifications(app, notificationDays),
    },
  ];
}

const daysAgo = (app: App, days: number): Date => new Date(app.clock.now().getTime() - days * dayMs);

/**
 * Examines the next rows of a kind after an id, by the setting as it is now: staff may change it while all rows are examined.
 * Returns the id that was examined last, or undefined after the last row.
 */
async function examineBatch(
  app: App,
  kind: Kind,
  after: string,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Batch> {
  const days = (await siteSettings(app))[ageOf[kind]];
  if (days === 0) return { examined: 0, removed: 0, last: undefined };
  return kind === 'posts'
    ? removeStatusBatch(app, after as StatusId, { ...retentionRule(app, days), dryRun })
    : removeEditBatch(app, after, { cutoff: idFromDate<'row'>(daysAgo(app, days)), dryRun });
}

async function walkToEnd(app: App, kind: Kind, dryRun: boolean): Promise<number> {
  let removed = 0;
  for (let after: string | undefined = minId; after !== undefined;) {
    const batch: Batch = await examineBatch(app, kind, after, { dryRun });
    removed += batch.removed;
    after = batch.last;
  }
  return removed;
}
