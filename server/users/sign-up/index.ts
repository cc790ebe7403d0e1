// Sign-up, confirmation of e-mail addresses, and the first owner.
export { changeEmail, confirmEmail, resendConfirmation } from './confirm-email.ts';
export { emailErrors } from './check-sign-up.ts';
export { createUser } from './create-user.ts';
export { createOwner, isOwnerSetupSecret, createOwnerSetupLink } from './owner-setup.ts';
