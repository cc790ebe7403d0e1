// Sign-in, sign-up and linked accounts with OpenID Connect providers.
export { completeProviderSignIn, type ProviderOutcome } from './complete-provider-sign-in.ts';
export { linkIdentity } from './identities.ts';
export { listIdentities, unlinkIdentity, unlinkProvider, type LinkedIdentity } from './manage-identities.ts';
export { endProviderSessions } from './end-provider-sessions.ts';
export { discoverProvider, endSessionUrl, findProvider, ProviderError } from './provider-client.ts';
export { beginProviderSignIn, findPendingSignUp, type BrowserSignIn, type PendingSignUp } from './provider-sign-ins.ts';
export { maySignUpByProvider, providerRegistrations, signUpByProvider } from './sign-up-by-provider.ts';
