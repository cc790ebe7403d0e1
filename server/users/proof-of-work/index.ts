// Proof of work at sign-up: the browser of a newcomer computes for some seconds, which makes sign-ups by the thousand costly.
export { createSignUpChallenge } from './sign-up-challenges.ts';
export type { SignUpChallenge } from './schema.ts';
