import { Type } from 'typebox';
import { pageEnds } from '../../platform/database/paged-query.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { addRelay, removeRelay } from './add-relay.ts';
import { pageOfRelays, presentRelay, requireRelay } from './find-relays.ts';
import { Relay, relayKind } from './schema.ts';
import { subscribeRelay, unsubscribeRelay } from './subscribe-relay.ts';

const limits = { defaultLimit: 40, maxLimit: 100 };
const params = Type.Object({ id: idSchema<'relay'>() });
const read = { access: 'staff:manage_federation', scope: 'admin:read' } as const;
const write = { access: 'staff:manage_federation', scope: 'admin:write' } as const;

export const relayRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/relays', {
    summary: 'List the relays, newest first',
    ...read,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(Relay),
    async handle({ app, input, request }) {
      const page = parsePage(input, limits);
      const rows = await pageOfRelays(app, page, {});
      return paginated(app, request, { json: rows.map(presentRelay), ...pageEnds(page, rows) });
    },
  }),
  post('/api/v1/fieldfare/admin/relays', {
    summary: 'Add a relay and subscribe to it',
    ...write,
    input: Type.Object({ url: Type.String(), kind: Type.Optional(relayKind) }),
    response: Relay,
    handle: async ({ app, viewer, input }) => presentRelay(await addRelay(app, viewer.accountId, input)),
  }),
  get('/api/v1/fieldfare/admin/relays/:id', {
    summary: 'Show a relay',
    ...read,
    params,
    response: Relay,
    handle: async ({ app, params: { id } }) => presentRelay(await requireRelay(app, id)),
  }),
  post('/api/v1/fieldfare/admin/relays/:id/subscribe', {
    summary: 'Subscribe to a relay again',
    ...write,
    params,
    response: Relay,
    handle: async ({ app, viewer, params: { id } }) => presentRelay(await subscribeRelay(app, viewer.accountId, id)),
  }),
  post('/api/v1/fieldfare/admin/relays/:id/unsubscribe', {
    summary: 'Stop the exchange of posts with a relay',
    ...write,
    params,
    response: Relay,
    handle: async ({ app, viewer, params: { id } }) => presentRelay(await unsubscribeRelay(app, viewer.accountId, id)),
  }),
  del('/api/v1/fieldfare/admin/relays/:id', {
    summary: 'Unsubscribe from a relay and delete it',
    ...write,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await removeRelay(app, viewer.accountId, id);
      return {};
    },
  }),
];
