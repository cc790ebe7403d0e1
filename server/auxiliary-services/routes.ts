import { Type } from 'typebox';
import { del, get, post, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { requestTestCall, setCapabilityEnabled } from './providers/change-capability.ts';
import { confirmProvider, removeProvider, requestRefresh } from './providers/confirm-provider.ts';
import { listProviders, presentProvider, presentProviders } from './providers/find-providers.ts';
import { Provider } from './schema.ts';

const read = { access: 'staff:manage_federation', scope: 'admin:read' } as const;
const write = { access: 'staff:manage_federation', scope: 'admin:write' } as const;
const params = Type.Object({ id: idSchema<'provider'>() });
const capabilityParams = Type.Object({ id: idSchema<'provider'>(), capability: Type.String() });

/** Providers register themselves (`incoming`); staff confirm them. */
export const staffRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/providers', {
    summary: 'List the service providers, newest first, with those that wait for confirmation',
    ...read,
    response: Type.Array(Provider),
    handle: async ({ app }) => presentProviders(app, await listProviders(app)),
  }),
  get('/api/v1/fieldfare/admin/providers/:id', {
    summary: 'Show a service provider',
    ...read,
    params,
    response: Provider,
    handle: ({ app, params: { id } }) => presentProvider(app, id),
  }),
  post('/api/v1/fieldfare/admin/providers/:id/confirm', {
    summary: 'Confirm a service provider, whose fingerprint was compared',
    ...write,
    params,
    input: Type.Object({ fingerprint: Type.String({ description: 'As the provider shows it' }) }),
    response: Provider,
    async handle({ app, viewer, params: { id }, input: { fingerprint } }) {
      await confirmProvider(app, viewer.accountId, { id, fingerprint });
      return presentProvider(app, id);
    },
  }),
  post('/api/v1/fieldfare/admin/providers/:id/refresh', {
    summary: 'Ask a service provider for its capabilities again, also if it failed lately',
    ...write,
    params,
    response: Provider,
    async handle({ app, viewer, params: { id } }) {
      await requestRefresh(app, viewer.accountId, id);
      return presentProvider(app, id);
    },
  }),
  post('/api/v1/fieldfare/admin/providers/:id/capabilities/:capability/enable', {
    summary: 'Enable a capability of a service provider',
    ...write,
    params: capabilityParams,
    response: Provider,
    async handle({ app, viewer, params: { id, capability } }) {
      await setCapabilityEnabled(app, viewer.accountId, { id, capability, enabled: true });
      return presentProvider(app, id);
    },
  }),
  post('/api/v1/fieldfare/admin/providers/:id/capabilities/:capability/disable', {
    summary: 'Disable a capability of a service provider',
    ...write,
    params: capabilityParams,
    response: Provider,
    async handle({ app, viewer, params: { id, capability } }) {
      await setCapabilityEnabled(app, viewer.accountId, { id, capability, enabled: false });
      return presentProvider(app, id);
    },
  }),
  post('/api/v1/fieldfare/admin/providers/:id/test', {
    summary: 'Make a test call, which the service provider answers by a call of its own',
    ...write,
    params,
    response: Provider,
    async handle({ app, viewer, params: { id } }) {
      await requestTestCall(app, viewer.accountId, id);
      return presentProvider(app, id);
    },
  }),
  del('/api/v1/fieldfare/admin/providers/:id', {
    summary: 'Delete a service provider, or decline its registration',
    ...write,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await removeProvider(app, viewer.accountId, id);
      return {};
    },
  }),
];
