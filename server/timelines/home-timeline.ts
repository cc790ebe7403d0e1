import type { App } from '../platform/app.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { filterVisibleStatuses } from '../statuses/index.ts';
import { createHomeFeed } from './feed-entries.ts';
import { loadFeedPage } from './feed-page.ts';
import type { FilledPage } from './fill-page.ts';

/** A page of someone's home: the posts and reblogs of those it follows and its own, at any depth. */
export function loadHomeTimeline(app: App, accountId: AccountId, page: Page): Promise<FilledPage<StatusId>> {
  return loadFeedPage(createHomeFeed(app, accountId), page, (ids) =>
    filterVisibleStatuses(app, accountId, ids, 'home'),
  );
}
