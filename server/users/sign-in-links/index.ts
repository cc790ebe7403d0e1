// Links by which the command line signs users in, once.
export { createSignInLink, isSignInLink, signInByLink } from './sign-in-links.ts';
