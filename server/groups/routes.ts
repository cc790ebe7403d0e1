import { Type } from 'typebox';
import { Account } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { joinJsonList, type HttpResponse } from '../platform/http/http-response.ts';
import { pageInput, paginated, parsePage, type Page } from '../platform/http/pages.ts';
import { del, get, patch, post, type CurrentUser, type RequestContext, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import type { AccountId } from '../platform/ids.ts';
import { pageEnds } from '../platform/database/paged-query.ts';
import { maxProfileBodyBytes, profileInput, toProfileChanges } from '../relationships/credentials/index.ts';
import { listBlocks, listFollowRequests, presentAccountsFor, type ListedAccount } from '../relationships/read/index.ts';
import { Status } from '../statuses/index.ts';
import { presentStatuses } from '../statuses/read/index.ts';
import { deleteGroup, updateGroup } from './change-group.ts';
import { createGroup } from './create-group.ts';
import { listModeratedGroups, requireModerated } from './find-groups.ts';
import { approvePost, listWaitingPosts, removePost } from './group-posts.ts';
import { banMember, decideMember, unbanMember } from './members.ts';
import { addModerator, removeModerator } from './moderators.ts';
import { presentGroup, presentGroups } from './present-groups.ts';
import { Group, PostingInput } from './schema.ts';

const reading = { access: 'user', scope: 'read|read:accounts' } as const;
const writing = { access: 'user', scope: 'write|write:accounts' } as const;
const params = Type.Object({ id: idSchema<'account'>() });
const accountParams = Type.Object({ id: idSchema<'account'>(), account_id: idSchema<'account'>() });
const statusParams = Type.Object({ id: idSchema<'account'>(), status_id: idSchema<'status'>() });
const account = Type.Object({ account_id: idSchema<'account'>() });
const emptyObject = Type.Object({});
const limits = { defaultLimit: 40, maxLimit: 80 };

const settingsInput = {
  posting: Type.Optional({ ...PostingInput, description: 'Whose posts the group boosts; members by default' }),
  moderated: Type.Optional(Type.Boolean({ description: 'Posts of members wait for a moderator' })),
  rules: Type.Optional(Type.String({ description: 'At most 5,000 characters' })),
};
const { bot: _bot, ...groupProfileInput } = profileInput;

/** Groups of this server. Mastodon has none. */
export const routes: readonly Route[] = [
  get('/api/v1/fieldfare/groups', {
    summary: 'List the groups that you moderate; for those who manage users also groups without moderators',
    ...reading,
    response: Type.Array(Group),
    handle: async ({ app, viewer }) => presentGroups(app, viewer, await listModeratedGroups(app, viewer)),
  }),
  post('/api/v1/fieldfare/groups', {
    summary: 'Create a group that you moderate',
    ...writing,
    input: Type.Object({
      username: Type.String({ description: 'As of an account; cannot be changed' }),
      display_name: Type.Optional(Type.String()),
      note: Type.Optional(Type.String()),
      locked: Type.Optional(Type.Boolean({ description: 'Moderators accept each member' })),
      discoverable: Type.Optional(Type.Boolean({ description: 'True by default' })),
      ...settingsInput,
    }),
    response: Group,
    async handle({ app, viewer, input: { display_name: displayName, ...input } }) {
      return presentGroup(app, viewer, await createGroup(app, viewer, { ...input, displayName }));
    },
  }),
  get('/api/v1/fieldfare/groups/:id', {
    summary: 'Show a group of this server by the id of its account',
    ...reading,
    params,
    response: Group,
    handle: ({ app, viewer, params: { id } }) => presentGroup(app, viewer, id),
  }),
  patch('/api/v1/fieldfare/groups/:id', {
    summary: 'Change the profile and the settings of a group',
    ...writing,
    params,
    bodyLimit: maxProfileBodyBytes,
    allowSlowBody: true,
    input: Type.Object({ ...groupProfileInput, ...settingsInput }),
    response: Group,
    async handle({ app, viewer, params: { id }, input }) {
      const { posting, moderated, rules, ...profile } = input;
      const settings = { posting, moderated, rules };
      await updateGroup(app, viewer, id, { settings, profile: toProfileChanges(profile) });
      return presentGroup(app, viewer, id);
    },
  }),
  del('/api/v1/fieldfare/groups/:id', {
    summary: 'Delete a group that nobody else moderates',
    ...writing,
    params,
    response: emptyObject,
    async handle({ app, viewer, params: { id } }) {
      await deleteGroup(app, viewer, id);
      return {};
    },
  }),

  post('/api/v1/fieldfare/groups/:id/moderators', {
    summary: 'Make a local member a moderator of a group',
    ...writing,
    params,
    input: account,
    response: Group,
    async handle({ app, viewer, params: { id }, input: { account_id: accountId } }) {
      await addModerator(app, viewer, id, accountId);
      return presentGroup(app, viewer, id);
    },
  }),
  del('/api/v1/fieldfare/groups/:id/moderators/:account_id', {
    summary: 'Take the role of a moderator of a group from an account, or give it up',
    ...writing,
    params: accountParams,
    response: Group,
    async handle({ app, viewer, params: { id, account_id: accountId } }) {
      await removeModerator(app, viewer, id, accountId);
      return presentGroup(app, viewer, id);
    },
  }),

  accountsRoute('/api/v1/fieldfare/groups/:id/follow_requests', 'List who wants to follow a group', listFollowRequests),
  decisionRoute('/api/v1/fieldfare/groups/:id/follow_requests/:account_id/authorize', true),
  decisionRoute('/api/v1/fieldfare/groups/:id/follow_requests/:account_id/reject', false),

  accountsRoute('/api/v1/fieldfare/groups/:id/bans', 'List the accounts that a group banned', listBlocks),
  post('/api/v1/fieldfare/groups/:id/bans', {
    summary: 'Block an account from a group: end its membership and refuse it from then on',
    ...writing,
    params,
    input: account,
    response: emptyObject,
    async handle({ app, viewer, params: { id }, input: { account_id: accountId } }) {
      await banMember(app, viewer, id, accountId);
      return {};
    },
  }),
  del('/api/v1/fieldfare/groups/:id/bans/:account_id', {
    summary: 'Lift a ban; the account may follow the group again',
    ...writing,
    params: accountParams,
    response: emptyObject,
    async handle({ app, viewer, params: { id, account_id: accountId } }) {
      await unbanMember(app, viewer, id, accountId);
      return {};
    },
  }),

  get('/api/v1/fieldfare/groups/:id/waiting_posts', {
    summary: 'List the posts that wait for a moderator, newest first',
    ...reading,
    params,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(Status),
    async handle({ app, viewer, params: { id }, input, request }) {
      await requireModerated(app, viewer, id);
      const page = parsePage(input, limits);
      const rows = await listWaitingPosts(app, id, page);
      const statusIds = rows.map(({ statusId }) => statusId);
      const json = joinJsonList(await presentStatuses(app, viewer, statusIds));
      return paginated(app, request, { json, ...pageEnds(page, rows) });
    },
  }),
  post('/api/v1/fieldfare/groups/:id/posts/:status_id/approve', {
    summary: 'Let a group boost a post that waits',
    ...writing,
    params: statusParams,
    response: emptyObject,
    async handle({ app, viewer, params: { id, status_id: statusId } }) {
      await approvePost(app, viewer, id, statusId);
      return {};
    },
  }),
  del('/api/v1/fieldfare/groups/:id/posts/:status_id', {
    summary: 'Remove a post from a group, or refuse one that waits',
    ...writing,
    params: statusParams,
    response: emptyObject,
    async handle({ app, viewer, params: { id, status_id: statusId } }) {
      await removePost(app, viewer, id, statusId);
      return {};
    },
  }),
];

type ListAccounts = (app: App, groupId: AccountId, page: Page) => Promise<ListedAccount[]>;

/** Declares a list of accounts for moderators, paged by the ids of its rows. */
function accountsRoute(path: `/api/v1/fieldfare/groups/:id/${string}`, summary: string, list: ListAccounts): Route {
  return get(path, {
    summary,
    ...reading,
    params,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(Account),
    async handle({ app, viewer, params: { id }, input, request }) {
      await requireModerated(app, viewer, id);
      const page = parsePage(input, limits);
      return respondWithAccounts(app, request, { page, viewer, rows: await list(app, id, page) });
    },
  });
}

async function respondWithAccounts(
  app: App,
  request: RequestContext,
  { page, viewer, rows }: { page: Page; viewer: CurrentUser; rows: readonly ListedAccount[] },
): Promise<HttpResponse> {
  const ids = rows.map(({ accountId }) => accountId);
  const json = joinJsonList(await presentAccountsFor(app, viewer, ids));
  return paginated(app, request, { json, ...pageEnds(page, rows) });
}

function decisionRoute(
  path: `/api/v1/fieldfare/groups/:id/follow_requests/:account_id/${string}`,
  isAccepted: boolean,
): Route {
  return post(path, {
    summary: isAccepted ? 'Let an account follow a group' : 'Refuse an account that wants to follow a group',
    ...writing,
    params: accountParams,
    response: emptyObject,
    async handle({ app, viewer, params: { id, account_id: accountId } }) {
      await decideMember(app, viewer, id, { accountId, isAccepted });
      return {};
    },
  });
}
