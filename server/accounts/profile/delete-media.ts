import { on } from '../../platform/events/reactions.ts';
import { deleteAccountMedia } from '../../media/index.ts';
import { accountDeleted } from '../events.ts';

/** Deletes the files of a deleted account at once, before its posts, which are deleted in batches. */
export const deleteMediaOfDeletedAccount = on([accountDeleted], {
  name: 'account.delete_media',
  queue: 'background',
  run: (app, { accountId }) => deleteAccountMedia(app, accountId),
});
