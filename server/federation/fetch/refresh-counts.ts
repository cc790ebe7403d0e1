import type { App } from '../../platform/app.ts';
import { StoredFetchBudget, withFetchBudget } from '../../platform/outgoing/fetch-budget.ts';
import { later } from '../../platform/write/reactions.ts';
import { countsRefreshRequested } from '../../statuses/index.ts';
import { loadCachedStatuses, type CachedStatus } from '../../statuses/read/index.ts';
import { storeOriginCounts, type CountedStatus } from '../../statuses/remote/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { parseNote } from '../documents/parse-note.ts';
import { hostOf } from '../documents/values.ts';
import { FetchError, fetchObject } from './fetch-document.ts';

/** Fetches the counts of remote statuses that a user saw, from several hosts concurrently, within one fetch budget. */
export const refreshCounts = later('remote', [countsRefreshRequested], {
  name: 'status.refresh_counts',
  run: async (root, { statusIds }) => {
    const app = withFetchBudget(root, new StoredFetchBudget(root));
    const statuses = [...(await loadCachedStatuses(app, statusIds)).values()].filter(({ local }) => !local);
    const hosts = Map.groupBy(statuses, ({ uri }) => hostOf(uri));
    const counted = await Promise.all([...hosts.values()].map((list) => fetchCountsFromHost(app, list)));
    await storeOriginCounts(app, counted.flat());
  },
});

/** Fetches the counts of statuses on one host, one after the other. Stops when the host does not answer. */
async function fetchCountsFromHost(app: App, statuses: readonly CachedStatus[]): Promise<CountedStatus[]> {
  const counted: CountedStatus[] = [];
  for (const { id: statusId, uri } of statuses) {
    try {
      const note = parseNote(await fetchObject(app, uri));
      if (note.uri === uri) counted.push({ statusId, counts: note.counts });
    } catch (error) {
      if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
      if (error instanceof FetchError && (error.temporary || error.overBudget)) break;
    }
  }
  return counted;
}
