import type { App } from '../../platform/app.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { CurrentUser } from '../../platform/http/routes.ts';
import type { StatusId } from '../../platform/ids.ts';
import { filterVisibleStatuses, presentStatuses } from '../../statuses/read/index.ts';
import { PageFiller } from './page-filler.ts';
import { listFeedIds } from './read-feed.ts';
import type { Timeline } from '../schema.ts';

/** Returns a page of the home timeline: statuses and reblogs by followed accounts and the viewer, to any depth. */
export async function loadHomeTimeline(app: App, viewer: CurrentUser, page: Page): Promise<Timeline> {
  const { accountId } = viewer;
  const feed = { kind: 'home', id: accountId, ownerId: accountId } as const;
  const filler = new PageFiller<StatusId>(page);
  while (filler.needsMore) {
    const { ids, next } = await listFeedIds(app, feed, filler.cursor, page.limit);
    const visible = await filterVisibleStatuses(app, accountId, filler.withinPage(ids), 'home');
    filler.add(visible, next);
  }
  const { ids, first, last } = filler.result();
  return { statuses: await presentStatuses(app, viewer, ids), first, last };
}
