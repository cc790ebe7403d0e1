import { later } from '../../platform/write/reactions.ts';
import { pollViewed } from '../../polls/index.ts';
import { loadCachedStatuses } from '../../statuses/read/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { parseNote } from '../documents/parse-note.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { updateNote } from './store-note.ts';

/** Fetches the current counts of a remote poll. Keeps the stored counts if that fails. */
export const refreshPoll = later('remote', [pollViewed], {
  name: 'poll.refresh_results',
  run: async (app, { statusId }) => {
    const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
    if (status === undefined) return;
    try {
      await updateNote(app, parseNote(await fetchObject(app, status.uri)));
    } catch (error) {
      if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
      app.log.debug({ err: error, uri: status.uri }, 'a poll could not be refreshed');
    }
  },
});
