import type { Config } from '../config.ts';

/** Of responses that are not pages. */
export const apiHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
} as const;

/** Of routes without cookies: web pages of any origin may call them. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Link, Mastodon-Async-Refresh, X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id',
} as const;

/**
 * Of all responses, if BASE_URL is https: browsers never use http for this host again. Other hosts of the domain may not
 * have https, so they are not included.
 */
const httpsHeaders = { 'strict-transport-security': 'max-age=31536000' } as const;

/** Returns the headers of every response to a request. */
export const commonHeaders = ({ baseUrl }: Pick<Config, 'baseUrl'>, requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  ...(baseUrl.startsWith('https:') && httpsHeaders),
});

/** Content-Type of JSON. */
export const jsonType = 'application/json; charset=utf-8';
