import { Type } from 'typebox';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { createEmailDomainBlock, deleteEmailDomainBlock } from './change-domain-blocks.ts';
import { listEmailDomainBlocks, requireEmailDomainBlock } from './list-domain-blocks.ts';
import { AdminEmailDomainBlock } from './schema.ts';

const readAccess = { access: 'staff:manage_blocks', scope: 'admin:read|admin:read:email_domain_blocks' } as const;
const writeAccess = { access: 'staff:manage_blocks', scope: 'admin:write|admin:write:email_domain_blocks' } as const;
const limits = { defaultLimit: 100, maxLimit: 200 };
const params = Type.Object({ id: idSchema<'email-domain-block'>() });

export const emailDomainBlockRoutes: readonly Route[] = [
  get('/api/v1/admin/email_domain_blocks', {
    summary: 'List the blocked e-mail domains, latest first',
    ...readAccess,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(AdminEmailDomainBlock),
    async handle({ app, input, request }) {
      const { blocks, ...ends } = await listEmailDomainBlocks(app, parsePage(input, limits));
      return paginated(app, request, { json: blocks, ...ends });
    },
  }),
  get('/api/v1/admin/email_domain_blocks/:id', {
    summary: 'Show the block of an e-mail domain',
    ...readAccess,
    params,
    response: AdminEmailDomainBlock,
    handle: ({ app, params: { id } }) => requireEmailDomainBlock(app, id),
  }),
  post('/api/v1/admin/email_domain_blocks', {
    summary: 'Block e-mail addresses of a domain and its subdomains',
    ...writeAccess,
    input: Type.Object({
      domain: Type.Optional(Type.String({ description: 'Of addresses, or of their mail servers' })),
      allow_with_approval: Type.Optional(
        Type.Boolean({ description: 'Sign-ups wait for approval instead of being refused' }),
      ),
    }),
    response: AdminEmailDomainBlock,
    async handle({ app, viewer, input: { domain = '', allow_with_approval: allowWithApproval } }) {
      const id = await createEmailDomainBlock(app, viewer.accountId, { domain, allowWithApproval });
      return requireEmailDomainBlock(app, id);
    },
  }),
  del('/api/v1/admin/email_domain_blocks/:id', {
    summary: 'Remove the block of an e-mail domain',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteEmailDomainBlock(app, viewer.accountId, { id });
      return {};
    },
  }),
];
