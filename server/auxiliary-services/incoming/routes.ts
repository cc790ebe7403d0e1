import { Type } from 'typebox';
import { del, post, type Route } from '../../platform/http/routes.ts';
import { ownPublicKey, registerProvider, registration } from '../providers/register-provider.ts';
import { backfillRequest, continueBackfill, requestBackfill } from '../sharing/backfills.ts';
import { subscribe, subscriptionRequest, unsubscribe } from '../sharing/subscriptions.ts';
import { answerCall, parseBody } from './answer-call.ts';
import { storeCallback } from './store-callback.ts';
import { signedResponse } from './verify-provider.ts';

/** Options of routes that providers call. */
const forProviders = {
  access: 'anyone',
  response: Type.Unknown(),
  rawBody: true,
  englishErrors: true,
  undocumented: true,
  openInLimitedFederation: true,
  bodyLimit: 64 * 1024,
} as const;

const params = Type.Object({ id: Type.String() });

/** Below the base address of the API for providers, which NodeInfo names as `faspBaseUrl`. */
export const incomingRoutes: readonly Route[] = [
  post('/api/fasp/registration', {
    summary: 'Request the registration of a service provider',
    ...forProviders,
    rateLimit: 'providers',
    async handle({ app, request }) {
      const provider = await registerProvider(app, parseBody(request, registration));
      const json = {
        faspId: provider.id,
        publicKey: ownPublicKey(provider),
        registrationCompletionUri: `${app.config.baseUrl}/moderation/providers`,
      };
      return signedResponse(app, provider, { status: 201, json });
    },
  }),
  post('/api/fasp/debug/v0/callback/responses', {
    summary: 'Receive the answer of a provider to a test call',
    ...forProviders,
    handle: ({ app, request }) =>
      answerCall(app, request, 'callback', async (provider) => {
        await storeCallback(app, provider, { ip: request.ip, body: request.rawBody?.toString('utf8') ?? '' });
        return { status: 201 };
      }),
  }),
  post('/api/fasp/data_sharing/v0/event_subscriptions', {
    summary: 'Subscribe a service provider to events',
    ...forProviders,
    handle: ({ app, request }) =>
      answerCall(app, request, 'data_sharing', async (provider) => {
        const id = await subscribe(app, provider, parseBody(request, subscriptionRequest));
        return { status: 201, json: { subscription: { id } } };
      }),
  }),
  del('/api/fasp/data_sharing/v0/event_subscriptions/:id', {
    summary: 'Unsubscribe a service provider from events',
    ...forProviders,
    params,
    handle: ({ app, request, params: { id } }) =>
      answerCall(app, request, 'data_sharing', async (provider) => {
        await unsubscribe(app, provider, id);
        return { status: 204 };
      }),
  }),
  post('/api/fasp/data_sharing/v0/backfill_requests', {
    summary: 'Request older posts or accounts for a service provider',
    ...forProviders,
    handle: ({ app, request }) =>
      answerCall(app, request, 'data_sharing', async (provider) => {
        const id = await requestBackfill(app, provider, parseBody(request, backfillRequest));
        return { status: 201, json: { backfillRequest: { id } } };
      }),
  }),
  post('/api/fasp/data_sharing/v0/backfill_requests/:id/continuation', {
    summary: 'Request more of the older posts or accounts for a service provider',
    ...forProviders,
    params,
    handle: ({ app, request, params: { id } }) =>
      answerCall(app, request, 'data_sharing', async (provider) => {
        await continueBackfill(app, provider, id);
        return { status: 204 };
      }),
  }),
];
