import { findAccount } from '../../accounts/find/index.ts';
import type { Interaction } from '../../interactions/policy/index.ts';
import type { App } from '../../platform/app.ts';
import type { CachedStatus } from '../../statuses/read/index.ts';
import { authorizationOf, authorizes } from '../documents/approval-documents.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { idOf, isSameHost, type Json } from '../documents/values.ts';
import { FetchError, fetchObject } from './fetch-document.ts';

/**
 * Returns whether the author of a remote post authorized a reply or Announce by another remote account. Fetches the proof
 * that it names from the author's own host. Throws if a later attempt may succeed.
 */
export async function isAuthorized(
  app: App,
  status: Pick<CachedStatus, 'accountId' | 'uri'>,
  { kind, object }: { readonly kind: Interaction; readonly object: Json },
): Promise<boolean> {
  const [uri, proofUri] = [idOf(object), authorizationOf(object)];
  const author = await findAccount(app, status.accountId);
  if (uri === undefined || proofUri === undefined || author === undefined || !isSameHost(proofUri, author.uri))
    return false;
  try {
    return authorizes(await fetchObject(app, proofUri), { kind, author: author.uri, target: status.uri, uri });
  } catch (error) {
    if (error instanceof DocumentError || (error instanceof FetchError && !error.temporary)) return false;
    throw error;
  }
}
