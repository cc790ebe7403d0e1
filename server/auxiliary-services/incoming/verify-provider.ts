import { createPrivateKey } from 'node:crypto';
import { sql } from 'kysely';
import { isBlockedDomain } from '../../federation/index.ts';
import {
  isSignedBy,
  joinHeaders,
  parseSignature,
  SignatureError,
  signResponse,
  type ParsedSignature,
} from '../../federation/signatures/index.ts';
import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { verbatim } from '../../platform/i18n/message.ts';
import { isId } from '../../platform/ids.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { keyObjectOf } from '../providers/register-provider.ts';
import type { ProviderRow } from '../tables.ts';

/** A signature is valid for at most this time (FEDERATION.md), so its repetition is refused that long. */
const maxValidityMs = 14 * 3_600_000;

/**
 * Returns the confirmed provider that signed a request. Throws 401 if the signature is missing, invalid, old or was used
 * before, and 403 if the domain of the provider is blocked.
 */
export async function verifyProvider(app: App, request: RequestContext): Promise<ProviderRow> {
  const claim = parseClaim(app, request);
  const provider = await findProvider(app, claim.keyId);
  const key = provider && keyObjectOf(provider.public_key);
  if (provider === undefined || key === undefined || !isSignedBy(claim, key)) throw unverified('the key is unknown');
  if (await isBlockedDomain(app, new URL(provider.base_url).host))
    throw new HttpError(403, verbatim('The domain is blocked'));
  if (!(await recordSignature(app, provider, claim.signature))) throw unverified('it was used before');
  return provider;
}

const unverified = (reason: string): HttpError => new HttpError(401, verbatim(`Invalid signature: ${reason}`));

function parseClaim(app: App, request: RequestContext): ParsedSignature {
  const { method, url } = request;
  const headers = joinHeaders(request.headers);
  if (headers['signature-input'] === undefined) throw unverified('it is missing');
  try {
    // Also a request without a body has a digest.
    const body = request.rawBody ?? Buffer.alloc(0);
    return parseSignature({ method, url, headers, body, baseUrl: app.config.baseUrl, now: app.clock.now() });
  } catch (error) {
    if (error instanceof SignatureError) throw unverified(error.message);
    throw error;
  }
}

async function findProvider({ db }: App, keyId: string): Promise<ProviderRow | undefined> {
  if (!isId(keyId)) return undefined;
  return db
    .selectFrom('service_providers')
    .selectAll()
    .where('id', '=', keyId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
}

/** Returns false if the signature was recorded before. */
async function recordSignature(app: App, { id }: ProviderRow, signature: Buffer): Promise<boolean> {
  const now = app.clock.now();
  return transaction(app, async ({ db }) => {
    await sql`
      delete from service_provider_signatures
      where received_at < ${new Date(now.getTime() - maxValidityMs)}::timestamptz`.execute(db);
    const { rows } = await sql`
      insert into service_provider_signatures (provider_id, signature, received_at)
      values (${id}::bigint, ${signature}, ${now}::timestamptz)
      on conflict do nothing returning provider_id`.execute(db);
    return rows.length > 0;
  });
}

/** Returns a response to a provider, signed with the key for it. */
export function signedResponse(
  app: App,
  provider: Pick<ProviderRow, 'server_id' | 'private_key_pem'>,
  { status, json }: { readonly status: number; readonly json?: unknown },
): HttpResponse {
  const body = json === undefined ? '' : JSON.stringify(json);
  const signer = { keyId: provider.server_id, privateKey: createPrivateKey(provider.private_key_pem) };
  return new HttpResponse({
    status,
    text: body,
    headers: {
      'cache-control': 'private, no-store',
      ...(body !== '' && { 'content-type': 'application/json; charset=utf-8' }),
      ...signResponse({ status, body, now: app.clock.now() }, signer),
    },
  });
}
