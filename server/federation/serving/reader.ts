import { sql, type RawBuilder } from 'kysely';
import type { AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { RemoteKey } from '../keys/find-key.ts';
import { requireActiveActor } from './local-actor.ts';
import { requiresSignedFetch } from '../domain-policy.ts';
import { hasBlockedSigner, requireSigner } from './signer.ts';

/**
 * Returns who asks for a document that everybody may read: the signer where documents are given to signers only, else
 * undefined. Throws 401 or 403 without a valid signature of a server that may federate. Where documents are open, proxies
 * keep one answer for all, so a signature changes nothing.
 */
export async function findReader(app: App, request: RequestContext): Promise<RemoteKey | undefined> {
  return requiresSignedFetch(app) ? requireSigner(app, request) : undefined;
}

/** Throws 404 if the account blocks the reader or its server: the account does not exist for it. */
export async function assertNotBlocked(app: App, accountId: AccountId, reader: RemoteKey | undefined): Promise<void> {
  if (reader !== undefined && (await hasBlockedSigner(app, accountId, reader))) throw notFound();
}

/**
 * Returns the local account of a name for something that it publishes. Throws 401 or 403 as `findReader` does, 404 if it
 * does not exist or blocks the reader, 403 if it is suspended, 410 if it is gone. Not for the actor document itself, which
 * holds the key that signs a Block.
 */
export async function requireAuthor(app: App, request: RequestContext, username: string): Promise<AccountRow> {
  const reader = await findReader(app, request);
  const author = await requireActiveActor(app, username);
  await assertNotBlocked(app, author.id, reader);
  return author;
}

/** A condition that leaves out what is by accounts that block the reader or its server. `author`: the column with their ids. */
export function isNotBlockedBy(reader: RemoteKey | undefined, author: RawBuilder<unknown>): RawBuilder<boolean> {
  if (reader === undefined) return sql<boolean>`true`;
  return sql<boolean>`not exists (
      select from blocks where account_id = ${author} and target_account_id = ${reader.accountId}::bigint)
    and not exists (
      select from account_domain_blocks where account_id = ${author} and domain = ${reader.domain})`;
}
