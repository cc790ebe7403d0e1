import { later } from '../../platform/write/reactions.ts';
import { deleteAccountMedia } from '../../media/index.ts';
import { accountDeleted } from '../events.ts';

/** Deletes the files of a deleted account at once, before its posts, which are deleted in batches. */
export const deleteMediaOfDeletedAccount = later('background', [accountDeleted], {
  name: 'account.delete_media',
  run: (app, { accountId }) => deleteAccountMedia(app, accountId),
});
