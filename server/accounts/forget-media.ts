import { removeMediaOf } from '../media/index.ts';
import { on } from '../platform/jobs/events.ts';
import { accountDeleted } from './events.ts';

/** The files of an account that is gone go at once, before its posts, which are taken back a part at a time. */
export const forgetMedia = on(
  accountDeleted,
  'accounts.forget-media',
  (app, { accountId }) => removeMediaOf(app, accountId),
  'background',
);
