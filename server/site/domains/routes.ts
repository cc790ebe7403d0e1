import { Type, type Static } from 'typebox';
import { pageEnds } from '../../platform/database/paged-query.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, put, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { allowDomain } from './allow-domain.ts';
import type { BlockChanges } from './block-changes.ts';
import { removeBlock, updateBlock } from './change-block.ts';
import { createBlock } from './create-block.ts';
import { removeAllow } from './disallow-domain.ts';
import { pageOfAllows, pageOfBlocks, requireAllow, requireBlock } from './find-domains.ts';
import { presentAllow, presentBlock } from './present-domains.ts';
import { AdminDomainAllow, AdminDomainBlock, severity } from './schema.ts';

const limits = { defaultLimit: 100, maxLimit: 500 };
const params = Type.Object({ id: idSchema<'row'>() });
const accessTo = (what: 'domain_blocks' | 'domain_allows', verb: 'read' | 'write') =>
  ({ access: 'staff:manage_federation', scope: `admin:${verb}|admin:${verb}:${what}` }) as const;

const blockInput = Type.Object({
  severity: Type.Optional(severity),
  reject_media: Type.Optional(Type.Boolean()),
  reject_reports: Type.Optional(Type.Boolean()),
  private_comment: Type.Optional(Type.String()),
  public_comment: Type.Optional(Type.String()),
  obfuscate: Type.Optional(Type.Boolean()),
});

const toChanges = (input: Static<typeof blockInput>): BlockChanges => ({
  severity: input.severity,
  rejectMedia: input.reject_media,
  rejectReports: input.reject_reports,
  privateComment: input.private_comment,
  publicComment: input.public_comment,
  obfuscate: input.obfuscate,
});

const blockRoutes: readonly Route[] = [
  get('/api/v1/admin/domain_blocks', {
    summary: 'List the limited and blocked domains, newest first',
    ...accessTo('domain_blocks', 'read'),
    input: Type.Object(pageInput(limits)),
    response: Type.Array(AdminDomainBlock),
    async handle({ app, input, request }) {
      const page = parsePage(input, limits);
      const rows = await pageOfBlocks(app, page, {});
      return paginated(app, request, { json: rows.map(presentBlock), ...pageEnds(page, rows) });
    },
  }),
  get('/api/v1/admin/domain_blocks/:id', {
    summary: 'Show a limited or blocked domain',
    ...accessTo('domain_blocks', 'read'),
    params,
    response: AdminDomainBlock,
    handle: async ({ app, params: { id } }) => presentBlock(await requireBlock(app, id)),
  }),
  post('/api/v1/admin/domain_blocks', {
    summary: 'Limit or block a domain and its subdomains',
    ...accessTo('domain_blocks', 'write'),
    input: Type.Object({ domain: Type.String(), ...blockInput.properties }),
    response: AdminDomainBlock,
    handle: async ({ app, viewer, input }) =>
      presentBlock(await createBlock(app, viewer.accountId, { domain: input.domain, ...toChanges(input) })),
  }),
  put('/api/v1/admin/domain_blocks/:id', {
    summary: 'Change a domain block; effects of the former severity are undone in the background',
    ...accessTo('domain_blocks', 'write'),
    params,
    input: blockInput,
    response: AdminDomainBlock,
    handle: async ({ app, viewer, params: { id }, input }) =>
      presentBlock(await updateBlock(app, viewer.accountId, id, toChanges(input))),
  }),
  del('/api/v1/admin/domain_blocks/:id', {
    summary: 'Remove a domain block; its effects are undone in the background',
    ...accessTo('domain_blocks', 'write'),
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await removeBlock(app, viewer.accountId, id);
      return {};
    },
  }),
];

const allowRoutes: readonly Route[] = [
  get('/api/v1/admin/domain_allows', {
    summary: 'List the domains that may federate in limited federation mode, newest first',
    ...accessTo('domain_allows', 'read'),
    input: Type.Object(pageInput(limits)),
    response: Type.Array(AdminDomainAllow),
    async handle({ app, input, request }) {
      const page = parsePage(input, limits);
      const rows = await pageOfAllows(app, page, {});
      return paginated(app, request, { json: rows.map(presentAllow), ...pageEnds(page, rows) });
    },
  }),
  get('/api/v1/admin/domain_allows/:id', {
    summary: 'Show an allowed domain',
    ...accessTo('domain_allows', 'read'),
    params,
    response: AdminDomainAllow,
    handle: async ({ app, params: { id } }) => presentAllow(await requireAllow(app, id)),
  }),
  post('/api/v1/admin/domain_allows', {
    summary: 'Allow a domain to federate in limited federation mode',
    ...accessTo('domain_allows', 'write'),
    input: Type.Object({ domain: Type.String() }),
    response: AdminDomainAllow,
    handle: async ({ app, viewer, input: { domain } }) =>
      presentAllow(await allowDomain(app, viewer.accountId, domain)),
  }),
  del('/api/v1/admin/domain_allows/:id', {
    summary: 'Remove a domain from the allowed ones',
    ...accessTo('domain_allows', 'write'),
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await removeAllow(app, viewer.accountId, id);
      return {};
    },
  }),
];

export const domainRoutes: readonly Route[] = [...blockRoutes, ...allowRoutes];
