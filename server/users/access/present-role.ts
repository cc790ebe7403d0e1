import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { RoleId } from '../../platform/ids.ts';
import { effectivePermissionsSql } from './effective-permissions.ts';
import { everyoneRoleId } from './roles.ts';
import type { Role } from './schema.ts';

const roleRows = preparedQuery<Role>()((db, { ids }: { ids: readonly RoleId[] | null }) =>
  db
    .selectFrom('roles')
    .leftJoin('roles as everyone', (join) => join.on('everyone.id', '=', everyoneRoleId))
    .select(['roles.id', 'roles.name', 'roles.color', 'roles.highlighted', 'roles.collection_limit'])
    .select(effectivePermissionsSql(sql`roles.permissions`, sql`everyone.permissions`).as('permissions'))
    .where(sql<boolean>`(${ids}::bigint[] is null or roles.id = any(${ids}::bigint[]))`),
);

/** Returns the role with this id. Throws 404 if there is none. */
export async function presentRole(app: App, id: RoleId): Promise<Role> {
  const [role] = await roleRows(app, { ids: [id] });
  if (role === undefined) throw notFound();
  return role;
}

/** Returns all roles, of which there are few, by id. */
export async function presentRoles(app: App): Promise<Map<string, Role>> {
  return new Map((await roleRows(app, { ids: null })).map((role) => [role.id, role]));
}
