// Users: those who sign in to this server, their passwords, sessions, e-mail addresses, roles and preferences.
export { passwordChanged, userAccessChanged, userApproved, userConfirmed, userSignedUp } from './events.ts';
export { refusalOf } from './refusal.ts';
export { everyoneRoleId, hasPermission, permissionBits, standardRoles } from './roles.ts';
export type { Permission, StandardRole } from './roles.ts';
export { hashSecret, newSecret } from './secrets.ts';
export { touchUser } from './touch-user.ts';
