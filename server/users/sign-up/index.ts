// Sign-up, confirmation of e-mail addresses, and the first owner.
export { changeEmail, confirmEmail, resendConfirmation } from './confirm-email.ts';
export { changeEmailOf, confirmEmailOf, resendConfirmationOf, type EmailChange } from './set-email.ts';
export { emailErrors } from './check-sign-up.ts';
export { createUser, rethrowTakenError } from './create-user.ts';
export { createOwner, isOwnerSetupSecret, createOwnerSetupLink } from './owner-setup.ts';
