import type { App } from '../../platform/app.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { CurrentUser } from '../../platform/http/routes.ts';
import type { StatusId } from '../../platform/ids.ts';
import { filterVisibleStatuses, presentStatuses } from '../../statuses/read/index.ts';
import { PageFiller } from './page-filler.ts';
import { listFeedIds } from './read-feed.ts';
import type { Timeline } from './timeline.ts';

/** A page of a home timeline. */
interface HomeTimeline extends Timeline {
  /** The stored feed is being built. The page is complete all the same. */
  readonly isBuilding: boolean;
}

/** Returns a page of the home timeline: statuses and reblogs by followed accounts and the viewer, to any depth. */
export async function loadHomeTimeline(app: App, viewer: CurrentUser, page: Page): Promise<HomeTimeline> {
  const { accountId } = viewer;
  const feed = { kind: 'home', id: accountId, ownerId: accountId } as const;
  const filler = new PageFiller<StatusId>(page);
  let isBuilding = false;
  while (filler.needsMore) {
    const { ids, next, ...batch } = await listFeedIds(app, feed, filler.cursor, page.limit);
    isBuilding ||= batch.isBuilding;
    const visible = await filterVisibleStatuses(app, accountId, filler.withinPage(ids), 'home');
    filler.add(visible, next);
  }
  const { ids, first, last } = filler.result();
  return { statuses: await presentStatuses(app, viewer, ids), first, last, isBuilding };
}
