import type { App } from '../platform/app.ts';
import { remoteUnavailable } from '../platform/http/http-errors.ts';
import { parseJson } from '../text/index.ts';
import { OutgoingError, type OutgoingResponse } from '../platform/outgoing.ts';

/** Codes of languages that a service translates from, each with those that it translates it to. */
export type LanguagePairs = ReadonlyMap<string, readonly string[]>;

/** What a service makes of some texts. */
export interface TranslatedTexts {
  /** As many as were asked for, in their order; HTML, not made safe. */
  readonly texts: readonly string[];
  /** The language that they were in. */
  readonly source: string;
}

/** A service that translates HTML. Its methods throw a 503 when it does not do so now. */
export interface TranslationBackend {
  /** Its name as clients show it. */
  readonly provider: string;
  languages(): Promise<LanguagePairs>;
  /** `source` null: the service finds out. */
  translate(texts: readonly string[], source: string | null, target: string): Promise<TranslatedTexts>;
}

/** A language that the service finds out itself, where a code is needed (Mastodon's API). */
export const undetermined = 'und';

const maxResponseBytes = 4 * 1_048_576;
const timeoutMs = 20_000;

/** What services say by their status, beside 200. */
export interface ErrorStatuses {
  /** Asked too often. */
  readonly rateLimited: number;
  /** All that was paid for is used up. */
  readonly quotaExceeded: number;
}

/** Asks the service of the settings for JSON; 503 for everything that is no answer. */
export async function requestService(
  app: App,
  url: string,
  request: { body?: string; headers?: Record<string, string>; refusals: ErrorStatuses },
): Promise<unknown> {
  const { body, headers = {}, refusals } = request;
  let answer: OutgoingResponse;
  try {
    const options = { headers, maxBytes: maxResponseBytes, timeout: timeoutMs, trusted: true };
    answer = await app.outgoing.request(url, body === undefined ? options : { ...options, method: 'POST', body });
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    app.log.warn({ err: error }, 'the translation service does not answer');
    throw remoteUnavailable();
  }
  if (answer.status === refusals.rateLimited)
    throw remoteUnavailable('The translation service was asked too often just now');
  if (answer.status === refusals.quotaExceeded) {
    throw remoteUnavailable('What this server may have translated is used up for now');
  }
  if (answer.status !== 200) throw serviceFailure(app, `it answers ${answer.status}`);
  try {
    return parseJson(answer.body.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw serviceFailure(app, 'it answers no JSON');
    throw error;
  }
}

/** A 503 for an answer that makes no sense; what it was is logged. */
export function serviceFailure(app: App, reason: string): Error {
  app.log.warn({ reason }, 'the translation service fails');
  return remoteUnavailable();
}
