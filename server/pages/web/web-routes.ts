import { Type } from 'typebox';
import { emptyResponse } from '../../platform/http/http-response.ts';
import { del, type Route } from '../../platform/http/routes.ts';
import { emptyBody } from '../../platform/http/text-bodies.ts';
import { idSchema, uncheckedIdSchema } from '../../platform/id-schema.ts';
import {
  createSubscription,
  isMobileBrowser,
  pushDataInput,
  pushSubscriptionInput,
  unsubscribeByToken,
  updateSubscription,
  WebPushSubscription,
  withDefaultAlerts,
} from '../../push/index.ts';
import { loadWebSettings, storeWebSettings } from '../../users/settings/index.ts';
import { sessionRoute } from './session-route.ts';

/** The settings of the web client. */
export const webSettings = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  description: 'Any JSON object; the server does not read it',
});

export const settingsVersion = Type.Integer({
  description: 'Raised by each change of the settings; 0: none are stored',
});

/** Routes for web clients on this server, which are signed in by the cookie of a session. */
export const webRoutes: readonly Route[] = [
  // Mastodon has only the PUT: its page contains the settings.
  sessionRoute('GET', '/api/web/settings', {
    summary: 'Show what the web client stored for its user',
    response: webSettings,
    handle: async ({ app, session }) => (await loadWebSettings(app, session.userId)).data,
  }),

  sessionRoute('PUT', '/api/web/settings', {
    summary: 'Replace what the web client stored for its user, up to 64 KB',
    input: Type.Object({
      data: webSettings,
      version: Type.Optional(
        Type.Integer({ description: 'The version that is replaced: 409 if another device changed the settings since' }),
      ),
    }),
    response: Type.Object({ version: settingsVersion }),
    handle: async ({ app, session, input: { data, version } }) => ({
      version: await storeWebSettings(app, session.userId, { data, version }),
    }),
  }),

  sessionRoute('POST', '/api/web/push_subscriptions', {
    summary: 'Subscribe the browser to web push, in place of an earlier subscription of its session',
    input: pushSubscriptionInput,
    response: WebPushSubscription,
    handle({ app, session: { id: sessionId, accountId }, input, request: { headers } }) {
      const isOn = isMobileBrowser(headers['user-agent']);
      return createSubscription(app, { accountId, holder: { sessionId } }, withDefaultAlerts(input, isOn));
    },
  }),

  sessionRoute('PUT', '/api/web/push_subscriptions/:id', {
    summary: 'Replace the alerts and policy of the push subscription of the browser',
    params: Type.Object({ id: idSchema<'push-subscription'>() }),
    input: pushDataInput,
    response: WebPushSubscription,
    handle: ({ app, session, params: { id }, input }) =>
      updateSubscription(app, { holder: { sessionId: session.id }, id }, input),
  }),

  del('/api/web/push_subscriptions/:id', {
    summary: 'Delete a push subscription by the token in the Unsubscribe-URL of a message; always succeeds',
    access: 'anyone',
    openInLimitedFederation: true,
    params: Type.Object({ id: uncheckedIdSchema({ description: 'The token, valid for 48 hours' }) }),
    response: emptyBody,
    async handle({ app, params: { id } }) {
      await unsubscribeByToken(app, id);
      return emptyResponse();
    },
  }),
];
