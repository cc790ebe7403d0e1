import { removeCachedFiles } from '../../media/proxy/index.ts';
import { countOldNotifications, deleteOldNotifications } from '../../notifications/index.ts';
import type { App } from '../../platform/app.ts';
import { idFromDate, minId, type StatusId } from '../../platform/ids.ts';
import { continueWalk, type WalkedBatch } from '../../platform/work/continue-walk.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { siteSettings, type SiteSettings } from '../../site/index.ts';
import { removeEditBatch } from './remove-old-edits.ts';
import { removeStatusBatch } from './remove-old-statuses.ts';

const dayMs = 86_400_000;
/** Rows that a run of the schedule examines, of each kind: 1.4 million a day. */
const maxExamined = 10_000;

type Kind = 'posts' | 'edits';

/** Examines the rows after an id. Returns the id that was examined last, or undefined after the last row. */
interface Batch extends WalkedBatch {
  readonly removed: number;
}
type ExamineBatch = (after: string, options: { readonly dryRun: boolean }) => Promise<Batch>;

/**
 * Deletes remote posts and their edits by the settings of the site. Each run examines some rows, from where the last one
 * stopped to the newest old one, and then from the start: what is needed today may not be needed next week.
 */
export const applyRetention: Schedule = {
  name: 'federation.apply_retention',
  pattern: '*/10 * * * *',
  async run(app) {
    const { posts, edits } = walksOf(app, await siteSettings(app));
    if (posts !== undefined) await walk(app, 'posts', posts);
    if (edits !== undefined) await walk(app, 'edits', edits);
  },
};

const walk = (app: App, kind: Kind, examine: ExamineBatch): Promise<void> =>
  continueWalk(app, kind, { maxExamined, examine: (after) => examine(after, { dryRun: false }) });

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
  const walks = walksOf(app, settings);
  const { remoteMediaRetentionDays: fileDays, notificationRetentionDays: notificationDays } = settings;
  const before = daysAgo(app, fileDays);
  const notifications = dryRun ? countOldNotifications : deleteOldNotifications;
  return [
    { kind: 'posts', days: settings.remotePostRetentionDays, removed: await walkToEnd(walks.posts, dryRun) },
    { kind: 'edits', days: settings.remoteEditRetentionDays, removed: await walkToEnd(walks.edits, dryRun) },
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

/** By kind; undefined where the settings delete nothing. */
function walksOf(
  app: App,
  { remotePostRetentionDays: postDays, remoteEditRetentionDays: editDays }: SiteSettings,
): Readonly<Record<Kind, ExamineBatch | undefined>> {
  const rule = { cutoff: idFromDate<'status'>(daysAgo(app, postDays)), cleanFollowed: false };
  const cutoff = idFromDate<'row'>(daysAgo(app, editDays));
  return {
    posts:
      postDays === 0
        ? undefined
        : (after, { dryRun }) => removeStatusBatch(app, after as StatusId, { ...rule, dryRun }),
    edits: editDays === 0 ? undefined : (after, { dryRun }) => removeEditBatch(app, after, { cutoff, dryRun }),
  };
}

async function walkToEnd(examine: ExamineBatch | undefined, dryRun: boolean): Promise<number> {
  let removed = 0;
  if (examine === undefined) return removed;
  for (let after: string | undefined = minId; after !== undefined;) {
    const batch: Batch = await examine(after, { dryRun });
    removed += batch.removed;
    after = batch.last;
  }
  return removed;
}
