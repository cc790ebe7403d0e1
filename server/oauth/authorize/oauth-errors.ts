import { HttpError } from '../../platform/http/http-errors.ts';

/** The error codes of RFC 6749, RFC 8628 and related standards, with status and description (reference/errors.tsv). */
const oauthErrors = {
  invalid_client: [
    401,
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  ],
  invalid_grant: [
    400,
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  ],
  invalid_scope: [400, 'The requested scope is invalid, unknown, or malformed.'],
  invalid_request: [
    400,
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  ],
  unsupported_grant_type: [400, 'The authorization grant type is not supported by the authorization server.'],
  unauthorized_client: [400, 'The client is not authorized to perform this request using this method.'],
  unsupported_response_type: [400, 'The authorization server does not support this response type.'],
  access_denied: [403, 'The resource owner or authorization server denied the request.'],
  invalid_redirect_uri: [400, "The requested redirect uri is malformed or doesn't match client redirect URI."],
  authorization_pending: [400, 'The user has not decided yet. Continue to poll.'],
  slow_down: [400, 'Polled too fast. Wait five seconds longer between polls from now on.'],
  expired_token: [400, 'The device code expired before the user decided. Request new codes.'],
  invalid_code_challenge_method: [400, 'The code_challenge_method must be S256.'],
} as const;

export type OauthErrorCode = keyof typeof oauthErrors;

/** An error for a client. */
export interface OauthError {
  readonly code: OauthErrorCode;
  readonly status: number;
  readonly description: string;
}

/** Returns the error with this code. `description` replaces the usual text. */
export function oauthError(code: OauthErrorCode, description?: string): OauthError {
  const [status, words] = oauthErrors[code];
  return { code, status, description: description ?? words };
}

/** Returns the same as an `HttpError`, for endpoints that respond with `{error, error_description}`. */
export function oauthHttpError(code: OauthErrorCode, parts: { description?: string; status?: number } = {}): HttpError {
  const { status, description } = oauthError(code, parts.description);
  const headers = code === 'invalid_client' ? { 'www-authenticate': `Basic realm="Fieldfare", error="${code}"` } : {};
  return new HttpError(parts.status ?? status, code, { error_description: description }, headers);
}
