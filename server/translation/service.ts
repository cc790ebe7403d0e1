import type { App } from '../platform/app.ts';
import { remoteUnavailable } from '../platform/http/http-errors.ts';
import { parseJson } from '../text/index.ts';
import { OutgoingError, type OutgoingRequest, type OutgoingResponse } from '../platform/outgoing/outgoing.ts';

/** Target languages by source language. */
export type LanguagePairs = ReadonlyMap<string, readonly string[]>;

/** The translation of a list of texts. */
export interface TranslatedTexts {
  /** Unsafe HTML, in the order of the request. */
  readonly texts: readonly string[];
  /** The source language, given or detected. */
  readonly source: string;
}

/** A service that translates HTML. Its methods throw 503 if it is unavailable. */
export interface TranslationBackend {
  /** Name that clients show. */
  readonly provider: string;
  languages(): Promise<LanguagePairs>;
  /** Detects the source language if `source` is null. */
  translate(texts: readonly string[], source: string | null, target: string): Promise<TranslatedTexts>;
}

/** The code of an unknown language (Mastodon's API). */
export const undetermined = 'und';

const maxResponseBytes = 4 * 1_048_576;
const timeoutMs = 20_000;

/** The HTTP statuses of a service for known errors. */
export interface ErrorStatuses {
  readonly rateLimited: number;
  readonly quotaExceeded: number;
}

/** Requests JSON from the service. Throws 503 if it fails. */
export async function requestService(
  app: App,
  url: string,
  request: { body?: string; headers?: Record<string, string>; refusals: ErrorStatuses },
): Promise<unknown> {
  const { body, headers = {}, refusals } = request;
  let response: OutgoingResponse;
  try {
    const options: OutgoingRequest = { headers, maxBytes: maxResponseBytes, timeoutMs, trusted: true };
    response = await app.outgoing.request(url, body === undefined ? options : { ...options, method: 'POST', body });
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    app.log.warn({ err: error }, 'the translation service is unreachable');
    throw remoteUnavailable();
  }
  if (response.status === refusals.rateLimited) throw remoteUnavailable('translation.rateLimited');
  if (response.status === refusals.quotaExceeded) {
    throw remoteUnavailable('translation.quotaUsedUp');
  }
  if (response.status !== 200) throw serviceFailure(app, `status ${response.status}`);
  try {
    return parseJson(response.body.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw serviceFailure(app, 'invalid JSON');
    throw error;
  }
}

/** Logs the reason of a failure and returns the 503 to throw. */
export function serviceFailure(app: App, reason: string): Error {
  app.log.warn({ reason }, 'the translation service failed');
  return remoteUnavailable();
}
