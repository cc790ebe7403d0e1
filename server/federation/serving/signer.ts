import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { verbatim } from '../../platform/i18n/message.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import type { AccountId } from '../../platform/ids.ts';
import { isFollowing } from '../../relationships/rules/index.ts';
import { type CachedStatus } from '../../statuses/read/index.ts';
import { canSee } from '../../statuses/visibility/index.ts';
import { requiresSignedFetch } from '../domain-policy.ts';
import { findKey, type RemoteKey } from '../keys/find-key.ts';
import { isSigned } from '../signatures/parse-signature.ts';
import { parseRequestSignature, verifyRequestSignature } from '../keys/verify-request.ts';

/** Throws 401 or 403 unless the request is signed by a server that may federate. No-op if documents are open. */
export async function assertSignedFetch(app: App, request: RequestContext): Promise<void> {
  if (requiresSignedFetch(app)) await requireSigner(app, request);
}

/** Returns the signer of a request. Throws 401 if there is none. */
export async function requireSigner(app: App, request: RequestContext): Promise<RemoteKey> {
  if (!isSigned(request.headers)) throw new HttpError(401, verbatim('Request not signed'));
  return verifyRequestSignature(app, request, parseRequestSignature(app, request));
}

/**
 * Whether a request is signed by an account that may see a status which is not public. Checks the signature only if the
 * account that it names may see the status: nobody else can make this server contact theirs, and learn from it that the
 * status exists.
 */
export async function isSignedByViewer(app: App, request: RequestContext, status: CachedStatus): Promise<boolean> {
  if (!isSigned(request.headers)) return false;
  try {
    const claim = parseRequestSignature(app, request);
    const claimed = await findKey(app, claim.keyId);
    if (claimed === undefined || !(await canSignerSee(app, claimed, status))) return false;
    return (await verifyRequestSignature(app, request, claim)).accountId === claimed.accountId;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}

/**
 * Whether the account of a key may see a status, by the rule for every viewer. Only the account itself counts, not the
 * others of its server. An instance actor sees nothing that is not public, whomever it follows, and neither does a
 * suspended account.
 */
async function canSignerSee(app: App, signer: RemoteKey, status: CachedStatus): Promise<boolean> {
  if (signer.suspended || signer.isApplication) return false;
  const { accountId, visibility, mentionedIds } = status;
  return canSee({
    visibility,
    authorUnavailable: false,
    isAuthor: signer.accountId === accountId,
    isOfThisServer: false,
    isFollower: await isFollowing(app, signer.accountId, accountId),
    isMentioned: mentionedIds.includes(signer.accountId),
    blockedByAuthor: await hasBlockedSigner(app, accountId, signer),
  });
}

/** Whether an account blocks a signer or its server. */
export async function hasBlockedSigner(app: App, accountId: AccountId, signer: RemoteKey): Promise<boolean> {
  const row = await app.db
    .selectFrom('blocks')
    .select('id')
    .where('account_id', '=', accountId)
    .where('target_account_id', '=', signer.accountId)
    .unionAll(
      app.db
        .selectFrom('account_domain_blocks')
        .select('id')
        .where('account_id', '=', accountId)
        .where('domain', '=', signer.domain),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
