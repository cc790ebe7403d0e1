// Invites: links by which people may sign up although registrations are not open.
export { createInvite, expireInvite } from './change-invites.ts';
export { findInvite, findUsableInvite, isUsable, listInvites, type Invite } from './find-invites.ts';
