import { Type } from 'typebox';
import { Account } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import type { JsonText } from '../platform/http/http-response.ts';
import { pageInput } from '../platform/http/pages.ts';
import { get, post, type Route, type CurrentUser } from '../platform/http/routes.ts';
import { idSchema, type AccountId, type StatusId } from '../platform/ids.ts';
import { bookmarkStatus, unbookmarkStatus } from './bookmark-status.ts';
import { favouriteStatus, unfavouriteStatus } from './favourite-status.ts';
import { filterVisibleStatuses, requireVisibleOriginal, requireVisibleStatus } from './filter-visible-statuses.ts';
import { listReactions } from './list-reactions.ts';
import { muteConversation, unmuteConversation } from './mute-conversation.ts';
import { pinStatus, unpinStatus } from './pin-status.ts';
import { presentStatus } from './present-statuses.ts';
import { reblogStatus, unreblogStatus } from './reblog-status.ts';
import { Status } from './schema.ts';
import { resolveOriginalId } from './status-cache.ts';

const params = Type.Object({ id: idSchema<'status'>() });

/** An action on a status, answered with the status. */
function actionRoute(
  path: string,
  summary: string,
  scope: string,
  run: (app: App, accountId: AccountId, id: StatusId) => Promise<void>,
): Route {
  return post(path, {
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
function undoActionRoute(
  path: string,
  summary: string,
  scope: string,
  run: (app: App, accountId: AccountId, id: StatusId) => Promise<boolean>,
): Route {
  return post(path, {
    summary,
    access: 'user',
    scope,
    ...(run === unreblogStatus && { rateLimit: 'deletes' }),
    params,
    response: Status,
    async handle({ app, viewer, params: { id } }) {
      const originalId = await resolveOriginalId(app, id);
      return presentAfterUndo(app, viewer, originalId, await run(app, viewer.accountId, id));
    },
  });
}

/**
 * Who had reacted to a status knows it: it is answered when at least the anonymous may see it (an author who blocks the
 * viewer). Anything else that the viewer may not see is 404, whether it is there or not (STA-13, STA-14, STA-15).
 */
async function presentAfterUndo(app: App, viewer: CurrentUser, id: StatusId, done: boolean): Promise<JsonText<Status>> {
  const open = done && (await filterVisibleStatuses(app, undefined, [id], 'saved')).length > 0;
  if (!open) await requireVisibleOriginal(app, viewer.accountId, id);
  return presentStatus(app, viewer, id);
}

const reactionsRoute = (path: string, kind: 'favourites' | 'reblogs', summary: string): Route =>
  get(path, {
    summary,
    access: 'anyone',
    scope: 'read|read:accounts',
    params,
    input: Type.Object(pageInput({ defaultLimit: 40, maxLimit: 80 })),
    response: Type.Array(Account),
    handle: ({ app, viewer, params: { id }, input, request }) =>
      listReactions(app, request, viewer, { statusId: id, kind, input }),
  });

export const reactRoutes = [
  actionRoute('/api/v1/statuses/:id/favourite', 'Favourite a status', 'write|write:favourites', favouriteStatus),
  undoActionRoute(
    '/api/v1/statuses/:id/unfavourite',
    'Take back a favourite',
    'write|write:favourites',
    unfavouriteStatus,
  ),
  actionRoute('/api/v1/statuses/:id/bookmark', 'Bookmark a status', 'write|write:bookmarks', bookmarkStatus),
  undoActionRoute('/api/v1/statuses/:id/unbookmark', 'Remove a bookmark', 'write|write:bookmarks', unbookmarkStatus),
  actionRoute('/api/v1/statuses/:id/pin', 'Pin an own status to the profile', 'write|write:accounts', pinStatus),
  actionRoute('/api/v1/statuses/:id/unpin', 'Unpin a status from the profile', 'write|write:accounts', unpinStatus),
  actionRoute('/api/v1/statuses/:id/mute', 'Mute the conversation of a status', 'write|write:mutes', muteConversation),
  actionRoute(
    '/api/v1/statuses/:id/unmute',
    'Unmute the conversation of a status',
    'write|write:mutes',
    unmuteConversation,
  ),

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
  undoActionRoute('/api/v1/statuses/:id/unreblog', 'Take back a reblog', 'write|write:statuses', unreblogStatus),

  reactionsRoute('/api/v1/statuses/:id/favourited_by', 'favourites', 'List who favourited a status'),
  reactionsRoute('/api/v1/statuses/:id/reblogged_by', 'reblogs', 'List who reblogged a status'),
];
