// Invites: links by which people may sign up although registrations are not open.
export { createInvite, expireInvite } from './change-invites.ts';
export {
  findInvite,
  findUsableInvite,
  inviteUrl,
  isUsable,
  listOwnInvites,
  requireOwnInvite,
  type Invite,
} from './find-invites.ts';
export { countAvailableInvites, expireInvites } from './expire-invites.ts';
export { listInvites } from './list-invites.ts';
export { guestsNeedApproval, mayInvite } from './may-invite.ts';
export { createOwnInvite, expiryChoices, maxUsesChoices, revokeOwnInvite, type OwnInviteInput } from './own-invites.ts';
