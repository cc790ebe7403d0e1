import type { App } from '../../platform/app.ts';
import type { StatusId } from '../../platform/ids.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { isNote, parseNote } from '../documents/parse-note.ts';
import { hostOf, isObject, typeOf, type Json } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { defineFlight } from './single-flight.ts';
import { storeNote, type NoteSource } from './store-note.ts';

export const statusFlight = defineFlight<StatusId | undefined>('federation.status_failures');

type FetchOptions = Pick<NoteSource, 'depth' | 'backfilled'>;

/**
 * Returns the status with this ActivityPub id. Fetches it if it is unknown. Returns undefined if it does not exist or
 * cannot be fetched. `depth`: number of quotes that lead to it. `fresh` ignores earlier failures. `backfilled`: a new one is
 * no news.
 */
export async function resolveStatus(
  app: App,
  uri: string,
  { fresh = false, ...source }: FetchOptions & { fresh?: boolean } = {},
): Promise<StatusId | undefined> {
  const existing = await findStatusByUri(app, uri);
  if (existing !== undefined) return existing.id;
  const host = hostOf(uri);
  if (host === undefined || host === app.config.webDomain) return undefined;
  try {
    return await statusFlight(
      app,
      uri,
      async () => storeFetchedStatus(app, await fetchObject(app, uri), source),
      fresh,
    );
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
    app.log.debug({ err: error, uri }, 'a status could not be resolved');
    return undefined;
  }
}

/** Stores the post of a document from its origin: the post itself, or the Create that published it. */
export async function storeFetchedStatus(
  app: App,
  document: Json,
  source: FetchOptions = {},
): Promise<StatusId | undefined> {
  if (isNote(document))
    return (await findStatusByUri(app, parseNote(document).uri))?.id ?? storeNote(app, parseNote(document), source);
  const { object } = document;
  if (typeOf(document) !== 'Create' || object === undefined) return undefined;
  const uri = isObject(object) ? object['id'] : object;
  return typeof uri === 'string' ? resolveStatus(app, uri, source) : undefined;
}
