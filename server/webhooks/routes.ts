import { Type } from 'typebox';
import { pageEnds } from '../platform/database/paged-query.ts';
import { pageInput, paginated, parsePage } from '../platform/http/pages.ts';
import { forbidden } from '../platform/http/http-errors.ts';
import { del, get, post, put, type Caller, type CurrentUser, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { listWebhooks, listWebhooksWithApps, requireWebhook, type WebhookOwner } from './find-webhooks.ts';
import { listDeliveries } from './list-deliveries.ts';
import { pingWebhook } from './ping-webhook.ts';
import { CredentialWebhook, Webhook, WebhookDelivery, webhookInput } from './schema.ts';
import { rotateSecret, updateWebhook } from './update-webhook.ts';

const params = Type.Object({ id: idSchema<'webhook'>() });
const limits = { defaultLimit: 40, maxLimit: 80 };
/** As for web push, which sends the same to another receiver. Each event needs its read scope too. */
const access = { access: 'user', scope: 'push' } as const;

const ownerOf = ({ accountId }: CurrentUser, { sessionId, tokenId }: Caller): WebhookOwner =>
  sessionId === undefined ? { tokenId } : { accountId };

export const routes: readonly Route[] = [
  get('/api/v1/fieldfare/webhooks', {
    summary: 'List the webhooks of the access token; with the session of the user, those of all apps',
    ...access,
    response: Type.Array(Webhook),
    handle: ({ app, viewer, caller }) =>
      caller.sessionId === undefined ? listWebhooks(app, caller.tokenId) : listWebhooksWithApps(app, viewer.accountId),
  }),
  post('/api/v1/fieldfare/webhooks', {
    summary: 'Create a webhook, and show its secret once',
    ...access,
    rateLimit: 'webhooks',
    input: webhookInput,
    response: CredentialWebhook,
    async handle({ app, viewer: { accountId }, caller: { sessionId, tokenId, scopes }, input }) {
      // It would end when the user signs out.
      if (sessionId !== undefined) throw forbidden('webhooks.needsApp');
      return createWebhook(app, { accountId, tokenId, scopes }, input);
    },
  }),
  get('/api/v1/fieldfare/webhooks/:id', {
    summary: 'Show a webhook and its state',
    ...access,
    params,
    response: Webhook,
    handle: ({ app, caller, params: { id } }) => requireWebhook(app, caller.tokenId, id),
  }),
  put('/api/v1/fieldfare/webhooks/:id', {
    summary: 'Change a webhook, or disable or enable it',
    ...access,
    rateLimit: 'webhooks',
    params,
    input: Type.Object({ ...webhookInput.properties, enabled: Type.Optional(Type.Boolean()) }),
    response: Webhook,
    async handle({ app, viewer, caller, params: { id }, input }) {
      // The user stops what an app does, but the app decides what it is sent.
      if (caller.sessionId !== undefined && (input.url ?? input.events) !== undefined)
        throw forbidden('webhooks.changedByApp');
      return updateWebhook(app, { owner: ownerOf(viewer, caller), scopes: caller.scopes }, id, input);
    },
  }),
  del('/api/v1/fieldfare/webhooks/:id', {
    summary: 'Delete a webhook with its log',
    ...access,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, caller, params: { id } }) {
      await deleteWebhook(app, id, ownerOf(viewer, caller));
      return {};
    },
  }),
  post('/api/v1/fieldfare/webhooks/:id/rotate_secret', {
    summary: 'Replace the secret of a webhook; the old one also signs for a day',
    ...access,
    rateLimit: 'webhooks',
    params,
    response: CredentialWebhook,
    handle: ({ app, caller, params: { id } }) => rotateSecret(app, caller.tokenId, id),
  }),
  post('/api/v1/fieldfare/webhooks/:id/ping', {
    summary: 'Send a test message to a webhook, and retry what failed',
    ...access,
    rateLimit: 'webhooks',
    params,
    response: WebhookDelivery,
    handle: ({ app, caller, params: { id } }) => pingWebhook(app, caller.tokenId, id),
  }),
  get('/api/v1/fieldfare/webhooks/:id/deliveries', {
    summary: 'List the events of a webhook that wait, and the last 100 that were sent',
    ...access,
    params,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(WebhookDelivery),
    async handle({ app, caller, params: { id }, input, request }) {
      const page = parsePage(input, limits);
      const deliveries = await listDeliveries(app, caller.tokenId, id, page);
      return paginated(app, request, { json: deliveries, ...pageEnds(page, deliveries) });
    },
  }),
];
