import type { App } from '../platform/app.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, ListId, StatusId } from '../platform/ids.ts';
import { filterVisibleStatuses } from '../statuses/index.ts';
import { createListFeed } from './feed-entries.ts';
import { loadFeedPage } from './feed-page.ts';
import type { FilledPage } from './fill-page.ts';

/** A page of the timeline of a list (LST-02); 404 when the list is not of this account. */
export function loadListTimeline(
  app: App,
  accountId: AccountId,
  listId: ListId,
  page: Page,
): Promise<FilledPage<StatusId>> {
  return loadFeedPage(createListFeed(app, accountId, listId), page, (ids) =>
    filterVisibleStatuses(app, accountId, ids, 'lists'),
  );
}
