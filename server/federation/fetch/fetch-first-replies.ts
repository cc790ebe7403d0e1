import { on } from '../../platform/events/reactions.ts';
import type { App } from '../../platform/app.ts';
import { statusBodies } from '../../statuses/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { readNote } from '../documents/read-note.ts';
import { sameHost } from '../documents/values.ts';
import { repliesFound } from '../events.ts';
import { findKnownStatus } from '../find-status.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { storeNote } from './store-note.ts';

/** Fetches the answers that came named with a post, from the post's own server. What answers these is left for later. */
export const fetchFirstReplies = on([repliesFound], {
  name: 'fetch-first-replies',
  queue: 'remote',
  run: async (app, { statusId, uris }) => {
    const parent = (await statusBodies(app, [statusId])).get(statusId);
    if (parent === undefined) return;
    for (const uri of uris) if (sameHost(uri, parent.uri)) await fetchReply(app, uri, parent.uri);
  },
});

async function fetchReply(app: App, uri: string, parentUri: string): Promise<void> {
  if ((await findKnownStatus(app, uri)) !== undefined) return;
  try {
    const note = readNote(await fetchObject(app, uri));
    if (note.inReplyTo === parentUri) await storeNote(app, { ...note, firstReplies: [] });
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
  }
}
