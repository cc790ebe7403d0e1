import { on } from '../platform/events/reactions.ts';
import { removeMediaOf } from '../media/index.ts';
import { accountDeleted } from './events.ts';

/** The files of an account that is gone go at once, before its posts, which are taken back a part at a time. */
export const forgetMedia = on([accountDeleted], {
  name: 'accounts.forget-media',
  queue: 'background',
  run: (app, { accountId }) => removeMediaOf(app, accountId),
});
