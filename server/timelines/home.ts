import type { App } from '../platform/app.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { keepVisible } from '../statuses/index.ts';
import { fillPage, type FilledPage, type Stretch } from './fill-page.ts';
import { endOfTime } from './follow-graph.ts';
import { hideRepeats, repeatDistance } from './hide-repeats.ts';
import { newerEntries, olderEntries } from './home-entries.ts';

/** Entries read beyond a page, so that a few hidden ones do not cost another query. */
const spare = 4;

/** A page of someone's home: the posts and reblogs of those it follows and its own, at any depth. */
export function homePage(app: App, accountId: AccountId, page: Page): Promise<FilledPage<StatusId>> {
  return fillPage<StatusId>(
    page,
    (from, ascending) =>
      ascending
        ? readNewer(app, accountId, from ?? ('0' as StatusId), page.limit + spare)
        : readOlder(app, accountId, from ?? endOfTime, page.limit + spare),
    (ids) => keepVisible(app, accountId, ids, 'home'),
  );
}

async function readOlder(app: App, accountId: AccountId, before: StatusId, count: number): Promise<Stretch<StatusId>> {
  const wanted = count + repeatDistance;
  const entries = await olderEntries(app, accountId, { before, count: wanted });
  if (entries.length < wanted) return { ids: hideRepeats(entries, entries.length), next: undefined };
  return { ids: hideRepeats(entries, count), next: entries[count - 1]?.id };
}

async function readNewer(app: App, accountId: AccountId, after: StatusId, count: number): Promise<Stretch<StatusId>> {
  const entries = (await newerEntries(app, accountId, { after, count })).toReversed();
  const next = entries.length === count ? entries[0]?.id : undefined;
  if (entries.every(({ reblogOfId }) => reblogOfId === undefined)) {
    return { ids: entries.map(({ id }) => id).toReversed(), next };
  }
  const before = String(BigInt(after) + 1n) as StatusId;
  const earlier = await olderEntries(app, accountId, { before, count: repeatDistance });
  return { ids: hideRepeats([...entries, ...earlier], entries.length).toReversed(), next };
}
