// The account of the signed-in user, with its source and settings.
export { presentCredentialAccount } from './credential-account.ts';
export { maxProfileBodyBytes, toProfileChanges, profileInput } from './profile-input.ts';
export { CredentialAccount } from './schema.ts';
export { updateCredentials } from './update-credentials.ts';
