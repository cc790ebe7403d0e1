// Signing keys of accounts, and the instance actor.
export { ensureInstanceActor } from './instance-actor.ts';
export { loadSigningKeys, replaceKeys, type SigningKey, type SigningKeys } from './signing-keys.ts';
