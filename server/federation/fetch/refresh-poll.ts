import { on } from '../../platform/events/reactions.ts';
import { pollViewed } from '../../polls/index.ts';
import { statusBodies } from '../../statuses/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { readNote } from '../documents/read-note.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { updateNote } from './store-note.ts';

/** Asks the server of a poll for its counts; one that cannot be had stays as it is. */
export const refreshPoll = on([pollViewed], {
  name: 'refresh-poll',
  queue: 'remote',
  run: async (app, { statusId }) => {
    const status = (await statusBodies(app, [statusId])).get(statusId);
    if (status === undefined) return;
    try {
      await updateNote(app, readNote(await fetchObject(app, status.uri)));
    } catch (error) {
      if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
      app.log.debug({ err: error, uri: status.uri }, 'a poll cannot be brought up to date');
    }
  },
});
