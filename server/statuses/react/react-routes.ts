import { Type } from 'typebox';
import { Account } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { JsonText } from '../../platform/http/http-response.ts';
import { pageInput } from '../../platform/http/pages.ts';
import { get, post, type Route, type CurrentUser } from '../../platform/http/routes.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { bookmarkStatus, unbookmarkStatus } from './bookmark-status.ts';
import { favouriteStatus, unfavouriteStatus } from './favourite-status.ts';
import {
  filterVisibleStatuses,
  requireVisibleOriginal,
  requireVisibleStatus,
} from '../read/filter-visible-statuses.ts';
import { listReactions } from './list-reactions.ts';
import { muteConversation, unmuteConversation } from './mute-conversation.ts';
import { pinStatus, unpinStatus } from './pin-status.ts';
import { presentStatus } from '../read/present-statuses.ts';
import { reblogStatus, unreblogStatus } from './reblog-status.ts';
import { Status } from '../schema.ts';
import { resolveOriginalId } from '../read/status-cache.ts';

const params = Type.Object({ id: idSchema<'status'>() });

/** An action on a status; the response is the status. */
function actionRoute(
  path: string,
  summary: string,
  scope: string,
  run: (app: App, accountId: AccountId, id: StatusId) => Promise<void>,
): Route {
  return post(path, {
    summary,
    access: 'user',
    onlyAdds: run === favouriteStatus || run === bookmarkStatus,
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

/** The undo of an action. It also works for statuses that the viewer may no longer see. */
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
 * Presents a status after an undo. If an action was undone, the status need only be visible to anonymous viewers, as its
 * author may block the viewer. Throws 404 for other statuses that the viewer may not see (STA-13, STA-14, STA-15).
 */
async function presentAfterUndo(
  app: App,
  viewer: CurrentUser,
  id: StatusId,
  wasUndone: boolean,
): Promise<JsonText<Status>> {
  const isPresentable = wasUndone && (await filterVisibleStatuses(app, undefined, [id], 'saved')).length > 0;
  if (!isPresentable) await requireVisibleOriginal(app, viewer.accountId, id);
  return presentStatus(app, viewer, id);
}

const reactionsRoute = (path: string, kind: 'favourites' | 'reblogs', summary: string): Route =>
  get(path, {
    summary,
    access: 'anyone',
    readsReplica: 'always',
    scope: 'read|read:accounts',
    params,
    input: Type.Object(pageInput({ defaultLimit: 40, maxLimit: 80 })),
    response: Type.Array(Account),
    handle: ({ app, viewer, params: { id }, input, request }) =>
      listReactions(app, request, viewer, { statusId: id, kind, input }),
  });

export const reactRoutes = [
  actionRoute('/api/v1/statuses/:id/favourite', 'Favourite a status', 'write|write:favourites', favouriteStatus),
  undoActionRoute('/api/v1/statuses/:id/unfavourite', 'Undo a favourite', 'write|write:favourites', unfavouriteStatus),
  actionRoute('/api/v1/statuses/:id/bookmark', 'Bookmark a status', 'write|write:bookmarks', bookmarkStatus),
  undoActionRoute('/api/v1/statuses/:id/unbookmark', 'Remove a bookmark', 'write|write:bookmarks', unbookmarkStatus),
  actionRoute('/api/v1/statuses/:id/pin', 'Pin a status to the profile', 'write|write:accounts', pinStatus),
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
    onlyAdds: true,
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
  undoActionRoute('/api/v1/statuses/:id/unreblog', 'Undo a reblog', 'write|write:statuses', unreblogStatus),

  reactionsRoute('/api/v1/statuses/:id/favourited_by', 'favourites', 'List the accounts that favourited a status'),
  reactionsRoute('/api/v1/statuses/:id/reblogged_by', 'reblogs', 'List the accounts that reblogged a status'),
];
