import { Type, type Static } from 'typebox';
import { del, get, post, put, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { createRole, deleteRole, updateRole } from './change-roles.ts';
import { permissionNames } from './permission-names.ts';
import { listRoles, loadRole } from './present-roles.ts';
import type { RoleInput } from './role-values.ts';
import { AdminRole } from './schema.ts';

const readAccess = { access: 'staff:manage_roles|manage_users', scope: 'admin:read' } as const;
const writeAccess = { access: 'staff:manage_roles', scope: 'admin:write' } as const;
const params = Type.Object({ id: idSchema<'role'>() });

const properties = {
  color: Type.Optional(Type.String({ description: 'Hexadecimal; empty for none' })),
  position: Type.Optional(Type.Integer({ description: 'At least 0, below that of your own role' })),
  permissions: Type.Optional(Type.Array(Type.String(), { description: permissionNames.join(', ') })),
  highlighted: Type.Optional(Type.Boolean()),
  collection_limit: Type.Optional(Type.Integer({ description: 'How many collections a user may have, at most 1000' })),
  require_two_factor: Type.Optional(
    Type.Boolean({ description: 'For every user: only administrators, and with require_two_factor_from' }),
  ),
  require_two_factor_from: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'A day after today, such as 2026-12-31; until then users are only told. Blank or null: at once',
    }),
  ),
};
const changes = Type.Object({ name: Type.Optional(Type.String()), ...properties });

const toRoleInput = (input: Static<typeof changes>): RoleInput => ({
  name: input.name,
  color: input.color,
  position: input.position,
  permissions: input.permissions,
  highlighted: input.highlighted,
  collectionLimit: input.collection_limit,
  requireTwoFactor: input.require_two_factor,
  requireTwoFactorFrom: input.require_two_factor_from,
});

/** Roles of staff and of every user; Mastodon has no API for them. */
export const roleRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/roles', {
    summary: 'List the roles, the highest first',
    ...readAccess,
    response: Type.Array(AdminRole),
    handle: ({ app }) => listRoles(app),
  }),
  get('/api/v1/fieldfare/admin/roles/:id', {
    summary: 'Show a role',
    ...readAccess,
    params,
    response: AdminRole,
    handle: ({ app, params: { id } }) => loadRole(app, id),
  }),
  post('/api/v1/fieldfare/admin/roles', {
    summary: 'Create a role below your own, with permissions that you have',
    ...writeAccess,
    input: Type.Object({ name: Type.String(), ...properties }),
    response: AdminRole,
    handle: ({ app, viewer, input }) => createRole(app, viewer.accountId, toRoleInput(input)),
  }),
  put('/api/v1/fieldfare/admin/roles/:id', {
    summary: 'Change a role below your own, for all its users',
    ...writeAccess,
    params,
    input: changes,
    response: AdminRole,
    handle: ({ app, viewer, params: { id }, input }) =>
      updateRole(app, viewer.accountId, { id, ...toRoleInput(input) }),
  }),
  del('/api/v1/fieldfare/admin/roles/:id', {
    summary: 'Delete a role below your own; its users keep the permissions of every user',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteRole(app, viewer.accountId, id);
      return {};
    },
  }),
];
