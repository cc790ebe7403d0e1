import { Type } from 'typebox';
import { badRequest } from '../../platform/http/http-errors.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import {
  createCanonicalEmailBlock,
  deleteCanonicalEmailBlock,
  listCanonicalEmailBlocks,
  requireCanonicalEmailBlock,
  testCanonicalEmail,
} from './canonical-blocks.ts';
import { AdminCanonicalEmailBlock } from './schema.ts';

const access = 'staff:manage_blocks';
const readAccess = { access, scope: 'admin:read|admin:read:canonical_email_blocks' } as const;
const writeAccess = { access, scope: 'admin:write|admin:write:canonical_email_blocks' } as const;
const limits = { defaultLimit: 100, maxLimit: 200 };
const params = Type.Object({ id: idSchema<'canonical-email-block'>() });

export const canonicalEmailBlockRoutes: readonly Route[] = [
  get('/api/v1/admin/canonical_email_blocks', {
    summary: 'List the blocked e-mail addresses as hashes, latest first',
    ...readAccess,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(AdminCanonicalEmailBlock),
    async handle({ app, input, request }) {
      const { blocks, ...ends } = await listCanonicalEmailBlocks(app, parsePage(input, limits));
      return paginated(app, request, { json: blocks, ...ends });
    },
  }),
  get('/api/v1/admin/canonical_email_blocks/:id', {
    summary: 'Show a blocked e-mail address as hash',
    ...readAccess,
    params,
    response: AdminCanonicalEmailBlock,
    handle: ({ app, params: { id } }) => requireCanonicalEmailBlock(app, id),
  }),
  post('/api/v1/admin/canonical_email_blocks/test', {
    summary: 'List the blocks that an e-mail address matches',
    ...readAccess,
    input: Type.Object({ email: Type.Optional(Type.String()) }),
    response: Type.Array(AdminCanonicalEmailBlock),
    handle({ app, input: { email = '' } }) {
      if (email.trim() === '') throw badRequest('http.missingParameter', { name: 'email' });
      return testCanonicalEmail(app, email);
    },
  }),
  post('/api/v1/admin/canonical_email_blocks', {
    summary: 'Block an e-mail address',
    ...writeAccess,
    input: Type.Object({
      email: Type.Optional(Type.String({ description: 'Counts if both are given' })),
      canonical_email_hash: Type.Optional(
        Type.String({ description: 'SHA-256 of the canonical address in hexadecimal' }),
      ),
    }),
    response: AdminCanonicalEmailBlock,
    handle: ({ app, viewer, input: { email, canonical_email_hash: hash } }) =>
      createCanonicalEmailBlock(app, viewer.accountId, { email, hash }),
  }),
  del('/api/v1/admin/canonical_email_blocks/:id', {
    summary: 'Remove the block of an e-mail address',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteCanonicalEmailBlock(app, viewer.accountId, { id });
      return {};
    },
  }),
];
