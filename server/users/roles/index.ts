// Roles: what their users may do, and who may change and assign them.
export { assignRole } from './assign-role.ts';
export { createRole, deleteRole, updateRole } from './change-roles.ts';
export { isExemptFromRules, isExemptFromRulesSql } from './exempt-from-rules.ts';
export { permissionNames } from './permission-names.ts';
export { findRole, listRoles } from './present-roles.ts';
export type { RoleInput } from './role-values.ts';
export type { AdminRole } from './schema.ts';
