import { Type, type TSchema } from 'typebox';
import { Account } from '../../accounts/index.ts';
import { loadCachedAccounts, toAccountTemplate } from '../../accounts/present/index.ts';
import { requireAccount } from '../../accounts/find/index.ts';
import { setNote } from '../../accounts/notes/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { type HttpResponse, joinJsonList, JsonText } from '../../platform/http/http-response.ts';
import { pageInput, parsePage, type Page } from '../../platform/http/pages.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, post, type RequestContext, type Route, type CurrentUser } from '../../platform/http/routes.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { accountRoutes } from './account-routes.ts';
import { respondWithPage, respondWithAccounts, presentRelationship } from './responses.ts';
import { acceptFollowRequest, rejectFollowRequest } from '../follow/follow-requests.ts';
import { blockAccount, unblockAccount } from '../hide/block-account.ts';
import { credentialRoutes } from './credential-routes.ts';
import { domainBlockRoutes } from './domain-block-routes.ts';
import { endorsementRoutes } from './endorsement-routes.ts';
import { familiarFollowersRoute } from '../read/familiar-followers.ts';
import { followAccount, type FollowOptions } from '../follow/follow-account.ts';
import { listNetwork } from '../read/list-network.ts';
import { listBlocks, listFollowRequests, listMutes, type ListedAccount } from '../read/list-relations.ts';
import { muteAccount, unmuteAccount } from '../hide/mute-account.ts';
import { presentRelationships } from '../read/present-relationships.ts';
import { MutedAccount, Relationship } from '../schema.ts';
import { severanceRoutes } from './severance-routes.ts';
import { removeFollower, unfollowAccount } from '../follow/unfollow-account.ts';

const params = Type.Object({ id: idSchema<'account'>() });
const requestParams = Type.Object({ account_id: idSchema<'account'>() });
const limits = { defaultLimit: 40, maxLimit: 80 };
const input = Type.Object(pageInput(limits));
const followScope = 'follow|write|write:follows';

/** Changes the viewer's relationship to an account. */
type RelationshipAction = (app: App, viewer: CurrentUser, id: AccountId) => Promise<unknown>;

/** A POST that changes the viewer's relationship to an account and returns the new one (REL-04). */
function relationshipRoute(path: string, summary: string, scope: string, act: RelationshipAction): Route {
  return post(path, {
    summary,
    access: 'user',
    scope,
    params,
    response: Relationship,
    handle: async ({ app, viewer, params: { id } }) => {
      await requireAccount(app, id);
      await act(app, viewer, id);
      return presentRelationship(app, viewer, id);
    },
  });
}

/** Accepts or rejects a request to follow the viewer. 404 if there is none. */
function followRequestRoute(path: string, summary: string, answer: typeof acceptFollowRequest): Route {
  return post(path, {
    summary,
    access: 'user',
    scope: followScope,
    params: requestParams,
    response: Relationship,
    handle: async ({ app, viewer, params: { account_id: id } }) => {
      if (!(await answer(app, viewer.accountId, id))) throw notFound();
      return presentRelationship(app, viewer, id);
    },
  });
}

/** A list of accounts that only the viewer sees. */
function viewerListingRoute(
  path: string,
  options: { summary: string; scope: string; response?: TSchema },
  list: (app: App, owner: AccountId, page: Page) => Promise<ListedAccount[]>,
): Route {
  return get(path, {
    summary: options.summary,
    access: 'user',
    scope: options.scope,
    input,
    response: Type.Array(options.response ?? Account),
    handle: async ({ app, viewer, input, request }) => {
      const page = parsePage(input, limits);
      return respondWithAccounts(app, request, page, { viewer, rows: await list(app, viewer.accountId, page) });
    },
  });
}

function networkRoute(path: string, side: 'followers' | 'following', summary: string): Route {
  return get(path, {
    summary,
    access: 'anyone',
    readsReplica: 'always',
    scope: 'read|read:accounts',
    params,
    input,
    response: Type.Array(Account),
    handle: async ({ app, viewer, params: { id }, input, request }) => {
      const page = parsePage(input, limits);
      const rows = await listNetwork(app, viewer?.accountId, id, { side, page });
      return respondWithAccounts(app, request, page, { viewer, rows });
    },
  });
}

function relationshipsRoute(path: string): Route {
  return get(path, {
    summary: 'Show your relationships to other accounts',
    access: 'user',
    scope: 'read|read:follows',
    input: Type.Object({
      id: Type.Optional(Type.Array(idSchema<'account'>())),
      with_suspended: Type.Optional(Type.Boolean()),
    }),
    response: Type.Array(Relationship),
    handle: ({ app, viewer, input: { id = [], with_suspended: withSuspended = false } }) =>
      presentRelationships(app, viewer.accountId, id, { withSuspended }),
  });
}

export const routes: Route[] = [
  ...accountRoutes,
  ...credentialRoutes,

  relationshipsRoute('/api/v1/accounts/relationships'),
  relationshipsRoute('/api/v1/relationships'),

  networkRoute('/api/v1/accounts/:id/followers', 'followers', 'List the followers of an account'),
  networkRoute('/api/v1/accounts/:id/following', 'following', 'List the accounts that an account follows'),

  post('/api/v1/accounts/:id/follow', {
    summary: 'Follow an account, send a follow request, or change the options of a follow',
    access: 'user',
    onlyAdds: true,
    scope: followScope,
    rateLimit: 'follows',
    params,
    input: Type.Object({
      reblogs: Type.Optional(Type.Boolean()),
      notify: Type.Optional(Type.Boolean()),
      languages: Type.Optional(Type.Array(Type.String())),
    }),
    response: Relationship,
    handle: ({ app, viewer, params: { id }, input }) => followAndPresent(app, viewer, id, input),
  }),
  relationshipRoute(
    '/api/v1/accounts/:id/unfollow',
    'Unfollow an account or withdraw a follow request',
    followScope,
    (app, viewer, id) => unfollowAccount(app, viewer.accountId, id),
  ),
  relationshipRoute('/api/v1/accounts/:id/remove_from_followers', 'Remove a follower', followScope, (app, viewer, id) =>
    removeFollower(app, viewer.accountId, id),
  ),

  viewerListingRoute(
    '/api/v1/follow_requests',
    { summary: 'List your follow requests', scope: 'follow|read|read:follows' },
    listFollowRequests,
  ),
  followRequestRoute('/api/v1/follow_requests/:account_id/authorize', 'Accept a follow request', acceptFollowRequest),
  followRequestRoute('/api/v1/follow_requests/:account_id/reject', 'Reject a follow request', rejectFollowRequest),

  viewerListingRoute(
    '/api/v1/blocks',
    { summary: 'List the blocked accounts', scope: 'follow|read|read:blocks' },
    listBlocks,
  ),
  relationshipRoute('/api/v1/accounts/:id/block', 'Block an account', 'follow|write|write:blocks', (app, viewer, id) =>
    blockAccount(app, viewer.accountId, id),
  ),
  relationshipRoute(
    '/api/v1/accounts/:id/unblock',
    'Unblock an account',
    'follow|write|write:blocks',
    (app, viewer, id) => unblockAccount(app, viewer.accountId, id),
  ),

  get('/api/v1/mutes', {
    summary: 'List the muted accounts',
    access: 'user',
    scope: 'follow|read|read:mutes',
    input,
    response: Type.Array(MutedAccount),
    handle: async ({ app, viewer, input, request }) => {
      const page = parsePage(input, limits);
      const rows = await listMutes(app, viewer.accountId, page);
      return respondWithMutes(app, { request, viewer, page }, rows);
    },
  }),
  post('/api/v1/accounts/:id/mute', {
    summary: 'Mute an account, or change an existing mute',
    access: 'user',
    scope: 'follow|write|write:mutes',
    params,
    input: Type.Object({ notifications: Type.Optional(Type.Boolean()), duration: Type.Optional(Type.Integer()) }),
    response: Relationship,
    handle: async ({ app, viewer, params: { id }, input }) => {
      await muteAccount(app, viewer.accountId, id, input);
      return presentRelationship(app, viewer, id);
    },
  }),
  relationshipRoute('/api/v1/accounts/:id/unmute', 'Unmute an account', 'follow|write|write:mutes', (app, viewer, id) =>
    unmuteAccount(app, viewer.accountId, id),
  ),

  post('/api/v1/accounts/:id/note', {
    summary: 'Set your private note about an account; an empty comment deletes it',
    access: 'user',
    scope: 'write|write:accounts',
    params,
    input: Type.Object({ comment: Type.Optional(Type.String()) }),
    response: Relationship,
    handle: async ({ app, viewer, params: { id }, input: { comment = '' } }) => {
      await requireAccount(app, id);
      await setNote(app, viewer.accountId, id, comment);
      return presentRelationship(app, viewer, id);
    },
  }),

  familiarFollowersRoute,
  ...endorsementRoutes,
  ...domainBlockRoutes,
  ...severanceRoutes,
];

/**
 * Follows an account and returns the relationship. An unlocked remote account is shown as followed before its server has
 * answered, as clients expect; later responses show `requested` until it has. Throws 422 for an unknown language code.
 */
export async function followAndPresent(
  app: App,
  viewer: CurrentUser,
  id: AccountId,
  options: FollowOptions,
): Promise<Relationship> {
  const outcome = await followAccount(app, viewer.accountId, id, options);
  const relationship = await presentRelationship(app, viewer, id);
  if (outcome === 'following') return relationship;
  const bodies = await loadCachedAccounts(app, [viewer.accountId, id]);
  const target = bodies.get(id);
  const optimistic =
    target !== undefined &&
    target.domain !== null &&
    !target.locked &&
    bodies.get(viewer.accountId)?.silenced === false;
  return optimistic ? { ...relationship, following: true, requested: false } : relationship;
}

async function respondWithMutes(
  app: App,
  { request, viewer, page }: { request: RequestContext; viewer: CurrentUser; page: Page },
  rows: readonly ListedAccount[],
): Promise<HttpResponse> {
  const bodies = await loadCachedAccounts(
    app,
    rows.map(({ accountId }) => accountId),
  );
  const items = rows.flatMap(({ accountId, expires }) => {
    const body = bodies.get(accountId);
    const expiresJson = JSON.stringify(expires?.toISOString() ?? null);
    if (body === undefined) return [];
    const fragments: string[] = [];
    toAccountTemplate(body, `,"mute_expires_at":${expiresJson}`).renderInto(fragments, mediaViewerOf(viewer));
    return [new JsonText(fragments)];
  });
  return respondWithPage(app, request, page, { rows, json: joinJsonList(items) });
}
