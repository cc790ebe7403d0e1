import type { App } from '../../platform/app.ts';
import { idOf, typeOf } from '../documents/values.ts';
import { FetchError, fetchObject } from './fetch-document.ts';

/**
 * Returns whether the origin of a document no longer has it: it answers 410 or serves a Tombstone with the same id, or it
 * answers 404 and `acceptsMissing` is set. Throws a temporary FetchError if the origin does not answer.
 */
export async function isGoneAtOrigin(
  app: App,
  uri: string,
  { acceptsMissing }: { readonly acceptsMissing: boolean },
): Promise<boolean> {
  try {
    const document = await fetchObject(app, uri);
    return typeOf(document) === 'Tombstone' && idOf(document) === uri;
  } catch (error) {
    if (!(error instanceof FetchError) || error.temporary) throw error;
    return error.gone || (error.missing && acceptsMissing);
  }
}
