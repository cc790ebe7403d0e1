import { Type } from 'typebox';
import { pageInput, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, type Route } from '../../platform/http/routes.ts';
import { respondWithPage } from './responses.ts';
import { blockDomain, parseBlockableDomain, unblockDomain } from '../hide/block-domain.ts';
import { listDomainBlocks, previewDomainBlock } from '../hide/list-domain-blocks.ts';
import { DomainBlockPreview } from '../schema.ts';

const scope = 'follow|write|write:blocks';
const limits = { defaultLimit: 100, maxLimit: 200 };
const domainInput = Type.Object({ domain: Type.String() });

/** Domain blocks of one account, not of the site. */
export const domainBlockRoutes: Route[] = [
  get('/api/v1/domain_blocks', {
    summary: 'List your domain blocks',
    hasEtag: true,
    access: 'user',
    scope: 'follow|read|read:blocks',
    input: Type.Object(pageInput(limits)),
    response: Type.Array(Type.String()),
    handle: async ({ app, viewer, input, request }) => {
      const page = parsePage(input, limits);
      const rows = await listDomainBlocks(app, viewer.accountId, page);
      return respondWithPage(app, request, page, { rows, json: rows.map(({ domain }) => domain) });
    },
  }),

  post('/api/v1/domain_blocks', {
    summary: 'Block a domain and end all follows from and to it',
    access: 'user',
    scope,
    input: domainInput,
    response: Type.Object({}),
    handle: async ({ app, viewer, input: { domain } }) => {
      await blockDomain(app, viewer.accountId, domain);
      return {};
    },
  }),

  del('/api/v1/domain_blocks', {
    summary: 'Unblock a domain',
    access: 'user',
    scope,
    input: domainInput,
    response: Type.Object({}),
    handle: async ({ app, viewer, input: { domain } }) => {
      await unblockDomain(app, viewer.accountId, domain);
      return {};
    },
  }),

  get('/api/v1/domain_blocks/preview', {
    summary: 'Count the follows that a domain block would end',
    access: 'user',
    scope,
    input: domainInput,
    response: DomainBlockPreview,
    handle: ({ app, viewer, input: { domain } }) =>
      previewDomainBlock(app, viewer.accountId, parseBlockableDomain(app, domain)),
  }),
];
