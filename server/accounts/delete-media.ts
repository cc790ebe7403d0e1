import { on } from '../platform/events/reactions.ts';
import { deleteAccountMedia } from '../media/index.ts';
import { accountDeleted } from './events.ts';

/** The files of an account that is gone go at once, before its posts, which are taken back a part at a time. */
export const deleteMediaOfDeletedAccount = on([accountDeleted], {
  name: 'account.delete_media',
  queue: 'background',
  run: (app, { accountId }) => deleteAccountMedia(app, accountId),
});
