import { HttpError } from '../platform/http/http-errors.ts';
import type { Refusals } from '../platform/http/routes.ts';

// Errors in Mastodon's words (reference/streaming.tsv). WebSockets send them as messages.

export const missingScope = (): HttpError => new HttpError(401, 'Access token does not have the required scopes');
export const foreignList = (): HttpError => new HttpError(401, 'Not authorized to stream this list');
export const unknownPath = (): HttpError => new HttpError(400, 'Unknown channel requested');
export const unknownStream = (): HttpError => new HttpError(400, 'Unknown stream type');
export const missingTag = (): HttpError => new HttpError(400, 'Missing tag name parameter');
export const missingList = (): HttpError => new HttpError(400, 'Missing list name parameter');
export const failedUnsubscribe = (): HttpError => new HttpError(400, 'Error unsubscribing from channel');
export const tooManyStreams = (): HttpError => new HttpError(429, 'Too many streams on this connection');
export const tooManyConnections = (): HttpError => new HttpError(429, 'Too many open connections');
export const unexpectedError = 'An unexpected error occurred';

/** How the routes refuse callers. */
export const refusals: Refusals = {
  missingToken: new HttpError(401, 'Missing access token'),
  invalidToken: new HttpError(401, 'Invalid access token'),
  missingScope: missingScope(),
};
