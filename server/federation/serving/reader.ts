import { sql, type RawBuilder } from 'kysely';
import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { loadCachedStatuses, type CachedStatus } from '../../statuses/read/index.ts';
import { isPublicOrUnlisted, staysHere } from '../../statuses/visibility/index.ts';
import type { RemoteKey } from '../keys/find-key.ts';
import { requireActiveActor } from './local-actor.ts';
import { requiresSignedFetch } from '../domain-policy.ts';
import { hasBlockedSigner, isSignedByViewer, requireSigner } from './signer.ts';

/**
 * Returns the signer of a request for a public document if documents require signed requests, else undefined. Throws
 * 401 or 403 without a valid signature of a server that may federate. If documents are open, proxies cache one answer
 * for all readers, so a signature changes nothing.
 */
export async function findReader(app: App, request: RequestContext): Promise<RemoteKey | undefined> {
  return requiresSignedFetch(app) ? requireSigner(app, request) : undefined;
}

/** Throws 404 if the account blocks the reader or its server. */
export async function assertNotBlocked(app: App, accountId: AccountId, reader: RemoteKey | undefined): Promise<void> {
  if (reader !== undefined && (await hasBlockedSigner(app, accountId, reader))) throw notFound();
}

/**
 * Returns a local account for a document that it publishes. Throws 401 or 403 like `findReader`, 404 if it does not
 * exist or blocks the reader, 403 if it is suspended, 410 if it was deleted. Not for the actor document, which holds
 * the key that signs a Block.
 */
export async function requireAuthor(app: App, request: RequestContext, username: string): Promise<AccountRow> {
  const reader = await findReader(app, request);
  const author = await requireActiveActor(app, username);
  await assertNotBlocked(app, author.id, reader);
  return author;
}

/** Returns a status. Throws 404 if it does not exist or was deleted. */
export async function requireCachedStatus(app: App, id: StatusId): Promise<CachedStatus> {
  const status = (await loadCachedStatuses(app, [id])).get(id);
  if (status === undefined) throw notFound();
  return status;
}

/** Throws 404 unless every server may see a local status, or the account that signed the request may. */
export async function assertReadable(app: App, request: RequestContext, status: CachedStatus): Promise<void> {
  if (isPublicOrUnlisted(status.visibility)) return;
  if (staysHere(status.visibility)) throw notFound();
  if (!(await isSignedByViewer(app, request, status))) throw notFound();
}

/** Condition that excludes accounts that block the reader or its server. `author`: column with the account ids. */
export function isNotBlockedBy(reader: RemoteKey | undefined, author: RawBuilder<unknown>): RawBuilder<boolean> {
  if (reader === undefined) return sql<boolean>`true`;
  return sql<boolean>`not exists (
      select from blocks where account_id = ${author} and target_account_id = ${reader.accountId}::bigint)
    and not exists (
      select from account_domain_blocks where account_id = ${author} and domain = ${reader.domain})`;
}
