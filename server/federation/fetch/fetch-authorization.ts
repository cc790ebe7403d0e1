import { findAccount, type AccountRow } from '../../accounts/find/index.ts';
import type { Interaction } from '../../interactions/policy/index.ts';
import type { App } from '../../platform/app.ts';
import type { CachedStatus } from '../../statuses/read/index.ts';
import { authorizationOf, authorizes } from '../documents/approval-documents.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { idOf, isSameHost, type Json } from '../documents/values.ts';
import { hasTombstone } from '../tombstones.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { findLocalReader, type ReadablePost } from './find-local-reader.ts';

/** A verified authorization. */
export interface Authorization {
  readonly uri: string;
  readonly author: Pick<AccountRow, 'id' | 'uri'>;
}

/**
 * Fetches the authorization that a reply or Announce by a remote account names, from the host of the author of the remote
 * post that it is about. `post`: the reply or Announce. Returns undefined if it is missing, deleted or does not match.
 * Throws if a later attempt may succeed.
 */
export async function fetchAuthorization(
  app: App,
  status: Pick<CachedStatus, 'uri'> & ReadablePost,
  { kind, object, post }: { readonly kind: Interaction; readonly object: Json; readonly post: ReadablePost },
): Promise<Authorization | undefined> {
  const [uri, proofUri] = [idOf(object), authorizationOf(object)];
  const author = await findAccount(app, status.accountId);
  if (uri === undefined || proofUri === undefined || author === undefined || !isSameHost(proofUri, author.uri))
    return undefined;
  if (await hasTombstone(app, author.uri, proofUri)) return undefined;
  try {
    const proof = await fetchObject(app, proofUri, await findLocalReader(app, [status, post]));
    return authorizes(proof, { kind, author: author.uri, target: status.uri, uri })
      ? { uri: proofUri, author }
      : undefined;
  } catch (error) {
    if (error instanceof DocumentError || (error instanceof FetchError && !error.temporary)) return undefined;
    throw error;
  }
}
