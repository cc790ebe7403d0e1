import type { App } from '../../platform/app.ts';
import { forbidden, HttpError, remoteUnavailable, serviceUnavailable } from '../../platform/http/http-errors.ts';
import { verbatim } from '../../platform/i18n/message.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { hostOf } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { recordEd25519Proof } from '../ed25519-hosts.ts';
import { FetchError } from '../fetch/fetch-document.ts';
import { refetchKey, findOrFetchKey, type RemoteKey } from './find-key.ts';
import { StrangerBudget } from './stranger-budget.ts';
import { isSignedBy, parseSignature } from '../signatures/parse-signature.ts';
import { joinHeaders, SignatureError, type ParsedSignature } from '../signatures/signed-request.ts';

/** Converts a failed verification to a response: 400, 401, 403 or 503 (reference/federation.tsv, "failure codes"). */
function toHttpError(error: unknown): unknown {
  if (error instanceof SignatureError) return new HttpError(error.status, verbatim(error.message));
  if (error instanceof FetchError && error.overBudget)
    return serviceUnavailable(verbatim('Too many signatures name unknown keys'), { 'retry-after': '60' });
  if (error instanceof FetchError && error.temporary)
    return remoteUnavailable(verbatim('The key could not be fetched'));
  if (error instanceof FetchError || error instanceof DocumentError)
    return new HttpError(401, verbatim('The public key could not be found'));
  return error;
}

/** Parses the signature of a request and checks everything that needs no key. Throws 400 or 401. */
export function parseRequestSignature(app: App, request: RequestContext): ParsedSignature {
  try {
    return parseSignature({
      method: request.method,
      url: request.url,
      headers: joinHeaders(request.headers),
      body: request.rawBody,
      baseUrl: app.config.baseUrl,
      now: app.clock.now(),
    });
  } catch (error) {
    throw toHttpError(error);
  }
}

/**
 * Returns the key that made a signature. Fetches an unknown key, and fetches a known one again if the signature does
 * not match, because the owner may have replaced it, within the budget of strangers. `ip`: of the sender. Throws 401 if
 * the signature is invalid, 403 for a blocked server, 503 if the key is temporarily unavailable or the budget is used up.
 */
export async function verifyRequestSignature(
  app: App,
  { ip }: Pick<RequestContext, 'ip'>,
  claim: ParsedSignature,
): Promise<RemoteKey> {
  const budget = new StrangerBudget(app, ip);
  try {
    const key = await findSigningKey(budget.app, claim);
    if (key !== undefined) {
      budget.accept(key);
      if (key.key.asymmetricKeyType === 'ed25519') await recordEd25519Proof(app, hostOf(key.actorUri) ?? '');
      return key;
    }
  } catch (error) {
    throw toHttpError(error);
  }
  throw new HttpError(401, verbatim(`Verification failed for ${claim.keyId}`));
}

/** Returns undefined if the signature was not made with the key that it names. */
async function findSigningKey(app: App, claim: ParsedSignature): Promise<RemoteKey | undefined> {
  const host = hostOf(claim.keyId);
  if (host !== undefined && (await isBlockedDomain(app, host))) throw forbidden();
  const key = await findOrFetchKey(app, claim.keyId);
  if (await isBlockedDomain(app, key.domain)) throw forbidden();
  if (isSignedBy(claim, key.key)) return key;
  const newKey = await refetchKey(app, key);
  return newKey !== undefined && isSignedBy(claim, newKey.key) ? newKey : undefined;
}
