import { Type } from 'typebox';
import { post, type Route } from '../../platform/http/routes.ts';
import { ownPublicKey, registerProvider, registration } from '../providers/register-provider.ts';
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
];
