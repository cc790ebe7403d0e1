import { HttpError } from '../platform/http/http-errors.ts';
import { message } from '../platform/i18n/message.ts';
import type { Refusals } from '../platform/http/routes.ts';

// Errors in Mastodon's words (reference/streaming.tsv). WebSockets send them as messages.

export const missingScope = (): HttpError => new HttpError(401, message('streaming.missingScope'));
export const foreignList = (): HttpError => new HttpError(401, message('streaming.foreignList'));
export const unknownPath = (): HttpError => new HttpError(400, message('streaming.unknownPath'));
export const unknownStream = (): HttpError => new HttpError(400, message('streaming.unknownStream'));
export const missingTag = (): HttpError => new HttpError(400, message('streaming.missingTag'));
export const missingList = (): HttpError => new HttpError(400, message('streaming.missingList'));
export const failedUnsubscribe = (): HttpError => new HttpError(400, message('streaming.failedUnsubscribe'));
export const tooManyStreams = (): HttpError => new HttpError(429, message('streaming.tooManyStreams'));
export const tooManyConnections = (): HttpError => new HttpError(429, message('streaming.tooManyConnections'));
export const unexpectedError = 'An unexpected error occurred';

/** How the routes refuse callers. */
export const refusals: Refusals = {
  missingToken: new HttpError(401, message('streaming.missingToken')),
  invalidToken: new HttpError(401, message('streaming.invalidToken')),
  missingScope: missingScope(),
};
