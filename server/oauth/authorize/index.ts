// Authorization of applications by users: requests, codes, redirects and errors.
export { createAuthorizationCode } from './authorization-codes.ts';
export {
  type AuthorizationParameters,
  type AuthorizationRequest,
  checkAuthorization,
  codeRedirect,
  errorRedirect,
} from './authorization-request.ts';
export {
  type AuthorizedApplication,
  listAuthorizedApplications,
  revokeApplication,
} from './authorized-applications.ts';
export { type OauthError, oauthError } from './oauth-errors.ts';
export { isPlainHost, outOfBand, withParameters } from './redirect-uris.ts';
