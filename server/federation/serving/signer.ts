import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { verbatim } from '../../platform/i18n/message.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { requiresSignedFetch } from '../domain-policy.ts';
import type { RemoteKey } from '../keys/find-key.ts';
import { isSigned } from '../signatures/parse-signature.ts';
import { parseRequestSignature, verifyRequestSignature } from '../keys/verify-request.ts';

/** Throws 401 or 403 unless the request is signed by a server that may federate. No-op if documents are open. */
export async function assertSignedFetch(app: App, request: RequestContext): Promise<void> {
  if (requiresSignedFetch(app)) await requireSigner(app, request);
}

/** Returns the signer of a request. Throws 401 if there is none. */
export async function requireSigner(app: App, request: RequestContext): Promise<RemoteKey> {
  if (!isSigned(request.headers)) throw new HttpError(401, verbatim('Request not signed'));
  return verifyRequestSignature(app, parseRequestSignature(app, { ...request, rawBody: undefined }));
}

/** Returns the signer of a request; undefined without a valid signature. */
export async function findSigner(app: App, request: RequestContext): Promise<RemoteKey | undefined> {
  if (!isSigned(request.headers)) return undefined;
  try {
    return await requireSigner(app, request);
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

const visibleToServer = preparedQuery<{ id: AccountId }>()(
  (db, args: { domain: string; authorId: AccountId; statusId: StatusId; includesFollowers: boolean }) =>
    db
      .selectFrom('accounts')
      .select('id')
      .where('domain', '=', args.domain)
      .where((eb) =>
        eb.or([
          sql<boolean>`${args.includesFollowers}::boolean and exists (
            select 1 from follows where target_account_id = ${args.authorId}::bigint and account_id = accounts.id)`,
          sql<boolean>`exists (select 1 from mentions where status_id = ${args.statusId}::bigint and account_id = accounts.id)`,
        ]),
      )
      // An account that the author blocks gives its server no access.
      .where(
        sql<boolean>`not exists (select 1 from blocks where account_id = ${args.authorId}::bigint and target_account_id = accounts.id)`,
      )
      .limit(1),
);

/** Whether a server may see a status that is not public: one of its accounts follows the author or is mentioned. */
export async function canServerSee(
  app: App,
  signer: RemoteKey,
  status: { readonly id: StatusId; readonly accountId: AccountId; readonly visibility: string },
): Promise<boolean> {
  const rows = await visibleToServer(app, {
    domain: signer.domain,
    authorId: status.accountId,
    statusId: status.id,
    includesFollowers: status.visibility === 'private',
  });
  return rows.length > 0;
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
