// Passkeys (WebAuthn): second factors, and sign-ins without a password.
export { registrationOptions, signInOptions } from './ceremony-options.ts';
export { addPasskey, removePasskey, renamePasskey } from './change-passkeys.ts';
export { listCredentials, listPasskeys, type Passkey } from './list-passkeys.ts';
export { completeSignInByPasskey, signInWithPasskey } from './sign-in-with-passkey.ts';
