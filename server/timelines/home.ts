import type { App } from '../platform/app.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { keepVisible } from '../statuses/index.ts';
import { homeEntries } from './feed-entries.ts';
import { feedPage } from './feed-page.ts';
import type { FilledPage } from './fill-page.ts';

/** A page of someone's home: the posts and reblogs of those it follows and its own, at any depth. */
export function homePage(app: App, accountId: AccountId, page: Page): Promise<FilledPage<StatusId>> {
  return feedPage(homeEntries(app, accountId), page, (ids) => keepVisible(app, accountId, ids, 'home'));
}
