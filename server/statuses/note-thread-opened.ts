import { perApp, type App } from '../platform/app.ts';
import { Cache } from '../platform/cache.ts';
import { write } from '../platform/database/write.ts';
import type { StatusId } from '../platform/ids.ts';
import { threadOpened } from './events.ts';
import { statusBodies } from './status-bodies.ts';
import { isForEverybody } from './visibility.ts';

/** A post of another server has this long, in milliseconds, before answers to it are looked for (reference/limits.tsv). */
const firstWait = 5 * 60_000;
/** And they are looked for once in so long. */
export const threadPatience = 15 * 60_000;

const askedLately = perApp(() => new Cache<StatusId, number>({ size: 20_000, ttl: threadPatience }));

/** Has the answers to a post of another server looked for, by a job, when somebody who is signed in opens its thread. */
export async function noteThreadOpened(app: App, statusId: StatusId): Promise<void> {
  const status = (await statusBodies(app, [statusId])).get(statusId);
  if (status === undefined || status.local) return;
  if (!isForEverybody(status.visibility)) return;
  const now = app.clock.now().getTime();
  const lately = askedLately(app);
  if (now - status.createdAt.getTime() < firstWait || now - (lately.get(statusId) ?? 0) < threadPatience) return;
  lately.set(statusId, now);
  const { accountId } = status;
  await write(app, async ({ emit }) => emit(threadOpened({ statusId, accountId })));
}
