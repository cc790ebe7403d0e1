// Sign-up, confirmation of e-mail addresses, and the first owner.
export { changeEmail, confirmEmail, findConfirmation, resendConfirmation, type Confirmation } from './confirm-email.ts';
export { changeEmailOf, confirmEmailOf, resendConfirmationOf, type EmailChange } from './set-email.ts';
export { emailSpellings, normalizeEmail } from './email-address.ts';
export { emailErrors, usernameErrors } from './check-sign-up.ts';
export { createUser, rethrowTakenError } from './create-user.ts';
export { findJustSignedUp, type SignUpForm } from './find-just-signed-up.ts';
export { createOwner, isOwnerSetupSecret, createOwnerSetupLink } from './owner-setup.ts';
