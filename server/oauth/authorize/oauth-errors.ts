import { HttpError } from '../../platform/http/http-errors.ts';
import { message, verbatim, type Message } from '../../platform/i18n/message.ts';

/** The error codes of RFC 6749, RFC 8628 and related standards, with their status (reference/errors.tsv). */
const statusByCode = {
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_request: 400,
  unsupported_grant_type: 400,
  unauthorized_client: 400,
  unsupported_response_type: 400,
  access_denied: 403,
  invalid_redirect_uri: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  invalid_code_challenge_method: 400,
} as const;

export type OauthErrorCode = keyof typeof statusByCode;

/** An error for a client. */
export interface OauthError {
  readonly code: OauthErrorCode;
  readonly status: number;
  readonly description: Message;
}

/** Returns the error with this code. `description` replaces the usual text. */
export function oauthError(code: OauthErrorCode, description?: Message): OauthError {
  return { code, status: statusByCode[code], description: description ?? message(`oauth.${code}`) };
}

/**
 * Returns the same as an `HttpError`, for endpoints that respond with `{error, error_description}`. The description is
 * English, because RFC 6749 limits it to ASCII.
 */
export function oauthHttpError(
  code: OauthErrorCode,
  parts: { description?: Message; status?: number } = {},
): HttpError {
  const { status, description } = oauthError(code, parts.description);
  const headers = code === 'invalid_client' ? { 'www-authenticate': `Basic realm="Fieldfare", error="${code}"` } : {};
  return new HttpError(parts.status ?? status, verbatim(code), { error_description: String(description) }, headers);
}
