// Roles, permissions, and whether a user may sign in.
export { moderatesSql } from './moderates.ts';
export { listUsersWithPermission, type PermittedUser } from './list-users-with-permission.ts';
export { presentRole, presentRoles } from './present-role.ts';
export { Role } from './schema.ts';
export { assertOutranks } from './rank.ts';
export { refusalOf, type AccessState, type Refusal } from './refusal.ts';
export { everyonePermissions, everyoneRoleId, hasPermission, standardRoles, type Permission } from './roles.ts';
export { approveUser, rejectUser, setUserDisabled } from './user-access.ts';
export { mayTakeEmailSubscribers, takesEmailSubscribers } from './takes-email-subscribers.ts';
