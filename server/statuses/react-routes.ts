import { Type } from 'typebox';
import { Account } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import type { JsonText } from '../platform/http/answers.ts';
import { pageInput } from '../platform/http/pages.ts';
import { get, post, type Route, type Viewer } from '../platform/http/routes.ts';
import { idSchema, type AccountId, type StatusId } from '../platform/ids.ts';
import { bookmarkStatus, unbookmarkStatus } from './bookmark-status.ts';
import { favouriteStatus, unfavouriteStatus } from './favourite-status.ts';
import { keepVisible, requireVisibleOriginal, requireVisibleStatus } from './keep-visible.ts';
import { listReactions } from './list-reactions.ts';
import { muteConversation, unmuteConversation } from './mute-conversation.ts';
import { pinStatus, unpinStatus } from './pin-status.ts';
import { presentStatus } from './present-statuses.ts';
import { reblogStatus, unreblogStatus } from './reblog-status.ts';
import { Status } from './schema.ts';
import { originalIdOf } from './status-bodies.ts';

const params = Type.Object({ id: idSchema<'status'>() });

/** `POST /api/v1/statuses/:id/<verb>`: something done with a status, answered with the status. */
function deed(
  verb: string,
  summary: string,
  scope: string,
  run: (app: App, accountId: AccountId, id: StatusId) => Promise<void>,
): Route {
  return post(`/api/v1/statuses/:id/${verb}`, {
    summary,
    access: 'user',
    scope,
    params,
    response: Status,
    async handle({ app, viewer, params: { id } }) {
      await run(app, viewer.accountId, id);
      await requireVisibleStatus(app, viewer.accountId, id);
      return presentStatus(app, viewer, id);
    },
  });
}

/** The same taken back. It works, and is answered, for some statuses that the viewer may not see any more. */
function undoing(
  verb: string,
  summary: string,
  scope: string,
  run: (app: App, accountId: AccountId, id: StatusId) => Promise<boolean>,
): Route {
  return post(`/api/v1/statuses/:id/${verb}`, {
    summary,
    access: 'user',
    scope,
    ...(verb === 'unreblog' && { rateLimit: 'deletes' }),
    params,
    response: Status,
    async handle({ app, viewer, params: { id } }) {
      const originalId = await originalIdOf(app, id);
      return presentUndone(app, viewer, originalId, await run(app, viewer.accountId, id));
    },
  });
}

/**
 * Who had reacted to a status knows it: it is answered when at least the anonymous may see it (an author who blocks the
 * viewer). Anything else that the viewer may not see is 404, whether it is there or not (STA-13, STA-14, STA-15).
 */
async function presentUndone(app: App, viewer: Viewer, id: StatusId, done: boolean): Promise<JsonText<Status>> {
  const open = done && (await keepVisible(app, undefined, [id], 'saved')).length > 0;
  if (!open) await requireVisibleOriginal(app, viewer.accountId, id);
  return presentStatus(app, viewer, id);
}

const reactions = (path: 'favourited_by' | 'reblogged_by', kind: 'favourites' | 'reblogs', summary: string): Route =>
  get(`/api/v1/statuses/:id/${path}`, {
    summary,
    access: 'anyone',
    scope: 'read|read:accounts',
    params,
    input: Type.Object(pageInput({ standard: 40, most: 80 })),
    response: Type.Array(Account),
    handle: ({ app, viewer, params: { id }, input, request }) =>
      listReactions(app, request, viewer, { statusId: id, kind, input }),
  });

export const reactRoutes = [
  deed('favourite', 'Favourite a status', 'write|write:favourites', favouriteStatus),
  undoing('unfavourite', 'Take back a favourite', 'write|write:favourites', unfavouriteStatus),
  deed('bookmark', 'Bookmark a status', 'write|write:bookmarks', bookmarkStatus),
  undoing('unbookmark', 'Remove a bookmark', 'write|write:bookmarks', unbookmarkStatus),
  deed('pin', 'Pin an own status to the profile', 'write|write:accounts', pinStatus),
  deed('unpin', 'Unpin a status from the profile', 'write|write:accounts', unpinStatus),
  deed('mute', 'Mute the conversation of a status', 'write|write:mutes', muteConversation),
  deed('unmute', 'Unmute the conversation of a status', 'write|write:mutes', unmuteConversation),

  post('/api/v1/statuses/:id/reblog', {
    summary: 'Reblog a status',
    access: 'user',
    scope: 'write|write:statuses',
    rateLimit: 'statuses',
    params,
    input: Type.Object({ visibility: Type.Optional(Type.Enum(['public', 'unlisted', 'private'])) }),
    response: Status,
    async handle({ app, viewer, caller, params: { id }, input: { visibility } }) {
      const options = { visibility, applicationId: caller.applicationId };
      return presentStatus(app, viewer, await reblogStatus(app, viewer.accountId, id, options));
    },
  }),
  undoing('unreblog', 'Take back a reblog', 'write|write:statuses', unreblogStatus),

  reactions('favourited_by', 'favourites', 'List who favourited a status'),
  reactions('reblogged_by', 'reblogs', 'List who reblogged a status'),
];
