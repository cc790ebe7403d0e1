import type { App } from '../platform/app.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, ListId, StatusId } from '../platform/ids.ts';
import { keepVisible } from '../statuses/index.ts';
import { listEntries } from './feed-entries.ts';
import { feedPage } from './feed-page.ts';
import type { FilledPage } from './fill-page.ts';

/** A page of the timeline of a list (LST-02); 404 when the list is not of this account. */
export function listPage(app: App, accountId: AccountId, listId: ListId, page: Page): Promise<FilledPage<StatusId>> {
  return feedPage(listEntries(app, accountId, listId), page, (ids) => keepVisible(app, accountId, ids, 'lists'));
}
