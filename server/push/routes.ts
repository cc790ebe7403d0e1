import { Type } from 'typebox';
import { parseBearerToken } from '../platform/http/authorize.ts';
import { del, get, post, put, type Route } from '../platform/http/routes.ts';
import { createSubscription } from './create-subscription.ts';
import { deleteSubscription } from './delete-subscription.ts';
import { holderOf } from './holder.ts';
import { requireSubscription } from './require-subscription.ts';
import { pushDataInput, pushSubscriptionInput, WebPushSubscription } from './schema.ts';
import { updateSubscription } from './update-subscription.ts';

const access = { access: 'user', scope: 'push' } as const;

export const routes: readonly Route[] = [
  post('/api/v1/push/subscription', {
    summary: 'Subscribe to web push, in place of an earlier subscription of the access token',
    ...access,
    input: pushSubscriptionInput,
    response: WebPushSubscription,
    handle({ app, viewer: { accountId }, caller, input, request: { headers } }) {
      const { authorization } = headers;
      const token = typeof authorization === 'string' ? parseBearerToken(authorization) : undefined;
      return createSubscription(app, { accountId, holder: holderOf(caller), token }, input);
    },
  }),
  get('/api/v1/push/subscription', {
    summary: 'Show the push subscription of the access token',
    hasEtag: true,
    ...access,
    response: WebPushSubscription,
    handle: ({ app, caller }) => requireSubscription(app, holderOf(caller)),
  }),
  put('/api/v1/push/subscription', {
    summary: 'Replace the alerts and policy of the push subscription of the access token',
    ...access,
    input: pushDataInput,
    response: WebPushSubscription,
    handle: ({ app, caller, input }) => updateSubscription(app, { holder: holderOf(caller) }, input),
  }),
  del('/api/v1/push/subscription', {
    summary: 'Delete the push subscription of the access token, if there is one',
    ...access,
    response: Type.Object({}),
    async handle({ app, caller }) {
      await deleteSubscription(app, holderOf(caller));
      return {};
    },
  }),
];
