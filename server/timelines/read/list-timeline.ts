import type { App } from '../../platform/app.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { CurrentUser } from '../../platform/http/routes.ts';
import type { ListId, StatusId } from '../../platform/ids.ts';
import { filterVisibleStatuses, presentStatuses } from '../../statuses/read/index.ts';
import { PageFiller } from './page-filler.ts';
import { listFeedIds } from './read-feed.ts';
import type { Timeline } from './timeline.ts';

/** Returns a page of the timeline of a list (LST-02). Throws 404 if the list does not belong to the viewer. */
export async function loadListTimeline(app: App, viewer: CurrentUser, listId: ListId, page: Page): Promise<Timeline> {
  const feed = { kind: 'list', id: listId, ownerId: viewer.accountId } as const;
  const filler = new PageFiller<StatusId>(page);
  while (filler.needsMore) {
    const { ids, next } = await listFeedIds(app, feed, filler.cursor, page.limit);
    const visible = await filterVisibleStatuses(app, viewer.accountId, filler.withinPage(ids), 'lists');
    filler.add(visible, next);
  }
  const { ids, first, last } = filler.result();
  return { statuses: await presentStatuses(app, viewer, ids), first, last };
}
