import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { isId, type RoleId } from '../../platform/ids.ts';
import type { AuditDetails } from '../../site/audit/index.ts';
import { everyoneRoleId } from '../access/roles.ts';
import type { RoleRow } from './lock-roles.ts';
import { namePermissions } from './permission-names.ts';
import type { AdminRole } from './schema.ts';

/** Each change of a role or assignment of one locks all of them. */
export const maxRoles = 200;
/** Of a day such as 2026-12-31. */
const dayLength = 10;

/** Returns all roles as staff manage them, the highest first. */
export async function listRoles({ db }: App): Promise<AdminRole[]> {
  const rows = await db
    .selectFrom('roles')
    .selectAll()
    .orderBy('position', 'desc')
    .orderBy('id')
    .limit(maxRoles)
    .execute();
  return rows.map(presentAdminRole);
}

/** Returns a role as staff manage it. Throws 404 if there is none. */
export async function loadRole({ db }: App, id: RoleId): Promise<AdminRole> {
  const row = await db
    .selectFrom('roles')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
  return presentAdminRole(row);
}

/** Finds a role by its name, regardless of case, or by its id. `user` and `everyone` name the role of every user. */
export async function findRole({ db }: App, text: string): Promise<AdminRole | undefined> {
  const name = text.trim().toLowerCase();
  const query = db.selectFrom('roles').selectAll();
  const isEveryone = name === 'user' || name === 'everyone';
  const byId = isId(name) ? query.where('id', '=', name) : undefined;
  const row = await (
    isEveryone
      ? query.where('id', '=', everyoneRoleId)
      : query.where(sql<boolean>`lower(name) = ${name} and name <> ''`)
  ).executeTakeFirst();
  const found = row ?? (await byId?.executeTakeFirst());
  return found && presentAdminRole(found);
}

export const presentAdminRole = (row: RoleRow): AdminRole => ({
  id: row.id,
  name: row.name,
  color: row.color,
  position: row.position,
  permissions: namePermissions(BigInt(row.permissions)),
  highlighted: row.highlighted,
  collection_limit: row.collection_limit,
  require_two_factor: row.require_two_factor,
  require_two_factor_from: row.require_two_factor_from?.toISOString().slice(0, dayLength) ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** Returns what the audit log shows of a role. */
export function toAuditDetails(row: RoleRow): AuditDetails {
  const { id: _id, created_at: _created, updated_at: _updated, ...details } = presentAdminRole(row);
  return details;
}
