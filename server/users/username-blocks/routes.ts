import { Type } from 'typebox';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, put, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { createUsernameBlock, deleteUsernameBlock, updateUsernameBlock } from './change-username-blocks.ts';
import { listUsernameBlocks, requireUsernameBlock } from './find-username-blocks.ts';
import { AdminUsernameBlock, UsernameComparison } from './schema.ts';

const readAccess = { access: 'staff:manage_blocks', scope: 'admin:read' } as const;
const writeAccess = { access: 'staff:manage_blocks', scope: 'admin:write' } as const;
const limits = { defaultLimit: 100, maxLimit: 200 };
const params = Type.Object({ id: idSchema<'username-block'>() });

const input = Type.Object({
  username: Type.Optional(Type.String({ description: 'Letters, digits and _, in any case' })),
  comparison: Type.Optional(UsernameComparison),
  allow_with_approval: Type.Optional(
    Type.Boolean({
      description: 'Sign-ups wait for approval instead of being refused; groups are refused in any case',
    }),
  ),
});

export const usernameBlockRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/username_blocks', {
    summary: 'List the blocked usernames, newest first',
    ...readAccess,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(AdminUsernameBlock),
    async handle({ app, input: page, request }) {
      const { blocks, ...ends } = await listUsernameBlocks(app, parsePage(page, limits));
      return paginated(app, request, { json: blocks, ...ends });
    },
  }),
  get('/api/v1/fieldfare/admin/username_blocks/:id', {
    summary: 'Show the block of a username',
    ...readAccess,
    params,
    response: AdminUsernameBlock,
    handle: ({ app, params: { id } }) => requireUsernameBlock(app, id),
  }),
  post('/api/v1/fieldfare/admin/username_blocks', {
    summary: 'Block a username for sign-ups and groups',
    ...writeAccess,
    input,
    response: AdminUsernameBlock,
    handle: ({ app, viewer, input: { allow_with_approval: allowWithApproval, ...values } }) =>
      createUsernameBlock(app, viewer.accountId, { ...values, allowWithApproval }),
  }),
  put('/api/v1/fieldfare/admin/username_blocks/:id', {
    summary: 'Change the given properties of the block of a username',
    ...writeAccess,
    params,
    input,
    response: AdminUsernameBlock,
    handle: ({ app, viewer, params: { id }, input: { allow_with_approval: allowWithApproval, ...values } }) =>
      updateUsernameBlock(app, viewer.accountId, { ...values, id, allowWithApproval }),
  }),
  del('/api/v1/fieldfare/admin/username_blocks/:id', {
    summary: 'Remove the block of a username',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteUsernameBlock(app, viewer.accountId, id);
      return {};
    },
  }),
];
