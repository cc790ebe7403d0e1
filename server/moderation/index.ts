// Moderation: decisions of staff about accounts, with their author and the mail to the user.
export { approveSignUp } from './approve-sign-up.ts';
export { changeUserRole } from './change-user-role.ts';
export { deleteAccountAsStaff } from './delete-account-as-staff.ts';
export { disableUser } from './disable-user.ts';
export { enableUser } from './enable-user.ts';
export { rejectSignUp } from './reject-sign-up.ts';
export { suspendAccount } from './suspend-account.ts';
export { unsuspendAccount } from './unsuspend-account.ts';
