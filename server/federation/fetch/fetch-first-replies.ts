import { later } from '../../platform/write/reactions.ts';
import type { App } from '../../platform/app.ts';
import { loadCachedStatuses } from '../../statuses/read/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { parseNote } from '../documents/parse-note.ts';
import { isSameHost } from '../documents/values.ts';
import { repliesFound } from '../events.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { storeNote } from './store-note.ts';

/**
 * Fetches the replies that a remote post listed, if they are on the same server. Leaves their own replies for later.
 */
export const fetchFirstReplies = later('remote', [repliesFound], {
  name: 'status.fetch_first_replies',
  run: async (app, { statusId, uris }) => {
    const parent = (await loadCachedStatuses(app, [statusId])).get(statusId);
    if (parent === undefined) return;
    for (const uri of uris) if (isSameHost(uri, parent.uri)) await fetchReply(app, uri, parent.uri);
  },
});

async function fetchReply(app: App, uri: string, parentUri: string): Promise<void> {
  if ((await findStatusByUri(app, uri)) !== undefined) return;
  try {
    const note = parseNote(await fetchObject(app, uri));
    if (note.inReplyTo === parentUri) await storeNote(app, { ...note, firstReplies: [] });
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
  }
}
