import { Type } from 'typebox';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, put, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { createIpBlock, deleteIpBlock, updateIpBlock } from './change-ip-blocks.ts';
import { listIpBlocks, requireIpBlock } from './find-ip-blocks.ts';
import { AdminIpBlock, IpSeverity } from './schema.ts';

const readAccess = { access: 'staff:manage_blocks', scope: 'admin:read|admin:read:ip_blocks' } as const;
const writeAccess = { access: 'staff:manage_blocks', scope: 'admin:write|admin:write:ip_blocks' } as const;
const limits = { defaultLimit: 100, maxLimit: 200 };
const params = Type.Object({ id: idSchema<'ip-block'>() });

const input = Type.Object({
  ip: Type.Optional(
    Type.String({
      description:
        'An address, or a network such as 192.0.2.0/24. With no_access at most a /8, or a /19 of IPv6, without your own address',
    }),
  ),
  severity: Type.Optional(IpSeverity),
  comment: Type.Optional(Type.String({ description: 'Note for staff' })),
  expires_in: Type.Optional(
    Type.Union([Type.String(), Type.Integer(), Type.Null()], { description: 'Seconds from now; blank or null: never' }),
  ),
});

export const ipBlockRoutes: readonly Route[] = [
  get('/api/v1/admin/ip_blocks', {
    summary: 'List the blocked IP addresses and networks, newest first',
    ...readAccess,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(AdminIpBlock),
    async handle({ app, input: page, request }) {
      const { blocks, ...ends } = await listIpBlocks(app, parsePage(page, limits));
      return paginated(app, request, { json: blocks, ...ends });
    },
  }),
  get('/api/v1/admin/ip_blocks/:id', {
    summary: 'Show an IP block',
    ...readAccess,
    params,
    response: AdminIpBlock,
    handle: ({ app, params: { id } }) => requireIpBlock(app, id),
  }),
  post('/api/v1/admin/ip_blocks', {
    summary: 'Block an IP address or network',
    ...writeAccess,
    input,
    response: AdminIpBlock,
    handle: ({ app, viewer, request: { ip: requestIp }, input: { expires_in: expiresIn, ...values } }) =>
      createIpBlock(app, viewer.accountId, { ...values, expiresIn, requestIp }),
  }),
  put('/api/v1/admin/ip_blocks/:id', {
    summary: 'Change the given properties of an IP block',
    ...writeAccess,
    params,
    input,
    response: AdminIpBlock,
    handle: ({
      app,
      viewer,
      request: { ip: requestIp },
      params: { id },
      input: { expires_in: expiresIn, ...values },
    }) => updateIpBlock(app, viewer.accountId, { ...values, id, expiresIn, requestIp }),
  }),
  del('/api/v1/admin/ip_blocks/:id', {
    summary: 'Remove an IP block',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteIpBlock(app, viewer.accountId, id);
      return {};
    },
  }),
];
