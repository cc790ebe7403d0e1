import { Type } from 'typebox';
import { listRequests, type InteractionRequestId } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { pageEnds } from '../../platform/database/paged-query.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, post, type CurrentUser, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { decideRequest, requireRequest } from './decide-request.ts';
import { presentRequest, presentRequests } from './present-requests.ts';
import { revokeRequest } from './revoke-request.ts';
import { InteractionRequest } from './schema.ts';

const limits = { defaultLimit: 40, maxLimit: 80 };
const params = Type.Object({ id: idSchema<'interaction-request'>() });
const readAccess = { access: 'user', scope: 'read|read:notifications' } as const;
const kinds = ['favourite', 'reply', 'reblog'] as const;
const kindFlag = Type.Optional(Type.Boolean({ description: 'True by default' }));

const decision = {
  access: 'user',
  scope: 'write|write:notifications',
  params,
  response: InteractionRequest,
} as const;

async function decide(
  app: App,
  viewer: CurrentUser,
  id: InteractionRequestId,
  state: 'accepted' | 'rejected' | 'revoked',
): Promise<InteractionRequest> {
  await presentRequest(app, viewer, await requireRequest(app, viewer.accountId, id));
  if (state === 'revoked') await revokeRequest(app, id);
  else await decideRequest(app, id, { state });
  return presentRequest(app, viewer, await requireRequest(app, viewer.accountId, id));
}

export const approvalRoutes: readonly Route[] = [
  get('/api/v1/interaction_requests', {
    summary: 'List the interactions with posts of the current user that wait for approval, or were approved',
    ...readAccess,
    input: Type.Object({
      ...pageInput(limits),
      state: Type.Optional(Type.Enum(['pending', 'accepted'], { description: '`pending` by default' })),
      status_id: Type.Optional(idSchema<'status'>()),
      favourites: kindFlag,
      replies: kindFlag,
      reblogs: kindFlag,
    }),
    response: Type.Array(InteractionRequest),
    async handle({ app, viewer, input, request }) {
      const { favourites = true, replies = true, reblogs = true, status_id: statusId = null } = input;
      const wanted = { favourite: favourites, reply: replies, reblog: reblogs };
      const page = parsePage(input, limits);
      const rows = await listRequests(app, page, {
        state: input.state ?? 'pending',
        authorId: viewer.accountId,
        kinds: kinds.filter((kind) => wanted[kind]),
        statusId,
      });
      return paginated(app, request, { json: await presentRequests(app, viewer, rows), ...pageEnds(page, rows) });
    },
  }),

  get('/api/v1/interaction_requests/:id', {
    summary: 'Show an interaction with a post of the current user that waits for approval or was decided',
    ...readAccess,
    params,
    response: InteractionRequest,
    handle: async ({ app, viewer, params: { id } }) =>
      presentRequest(app, viewer, await requireRequest(app, viewer.accountId, id)),
  }),

  post('/api/v1/interaction_requests/:id/authorize', {
    summary: 'Approve an interaction with a post of the current user',
    ...decision,
    handle: ({ app, viewer, params: { id } }) => decide(app, viewer, id, 'accepted'),
  }),

  post('/api/v1/interaction_requests/:id/reject', {
    summary: 'Reject an interaction with a post of the current user',
    ...decision,
    handle: ({ app, viewer, params: { id } }) => decide(app, viewer, id, 'rejected'),
  }),

  post('/api/v1/interaction_requests/:id/revoke', {
    summary: 'Revoke the approval of an interaction with a post of the current user',
    ...decision,
    handle: ({ app, viewer, params: { id } }) => decide(app, viewer, id, 'revoked'),
  }),
];
