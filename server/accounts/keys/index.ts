// Signing keys of accounts, and the instance actor.
export { ensureInstanceActor } from './instance-actor.ts';
export { loadSigningKey, type SigningKey } from './signing-key.ts';
