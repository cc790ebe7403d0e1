import { createPrivateKey } from 'node:crypto';
import { isBlockedDomain } from '../../federation/index.ts';
import {
  isSignedBy,
  parseResponseSignature,
  sha256,
  SignatureError,
  signRequest,
} from '../../federation/signatures/index.ts';
import type { App } from '../../platform/app.ts';
import { rootApp } from '../../platform/app.ts';
import { OutgoingError, type OutgoingResponse } from '../../platform/outgoing/outgoing.ts';
import { retryAfterSeconds } from '../../platform/outgoing/retry-after.ts';
import { parseJson } from '../../text/index.ts';
import { keyObjectOf } from '../providers/register-provider.ts';
import type { CallError } from '../schema.ts';
import type { ProviderRow } from '../tables.ts';
import { recordFailure, recordSuccess } from './record-result.ts';

/** A call of the API of a provider. */
export interface ProviderCall {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Path with query, below the base address of the provider. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The answers are lists of addresses. */
const maxBytes = 256 * 1024;
const timeoutMs = 5_000;
const maxRetryAfterSeconds = 86_400;

/** A call failed. The failure is recorded, for staff and for the next calls. */
export class ProviderCallError extends Error {
  override name = 'ProviderCallError';
  readonly reason: CallError;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: CallError,
    { status, retryAfterSeconds: seconds }: { status?: number; retryAfterSeconds?: number } = {},
  ) {
    super(`the provider failed: ${reason}`);
    this.reason = reason;
    this.status = status;
    this.retryAfterSeconds = seconds;
  }
}

/** Calls a provider with a signature, and verifies that of the response. Throws a ProviderCallError. */
export async function callProvider(app: App, provider: ProviderRow, call: ProviderCall): Promise<void> {
  await askProvider(app, provider, call, () => true);
}

/**
 * Calls a provider as `callProvider`, and returns what `parse` makes of the JSON of its response; undefined means that it is
 * invalid. The time and size of the response are bounded. Throws a ProviderCallError.
 */
export async function askProvider<Result>(
  app: App,
  provider: ProviderRow,
  call: ProviderCall,
  parse: (json: unknown) => Result | undefined,
): Promise<Result> {
  try {
    const result = parse(await sendCall(app, provider, call));
    if (result === undefined) throw new ProviderCallError('invalid_response');
    await recordSuccess(app, provider);
    return result;
  } catch (error) {
    if (error instanceof ProviderCallError) await recordFailure(app, provider, error);
    throw error;
  }
}

/** Whether a provider that failed is left alone for a while. */
export const isPaused = (app: App, { retry_at: retryAt }: Pick<ProviderRow, 'retry_at'>): boolean =>
  retryAt !== null && retryAt > app.clock.now();

async function sendCall(
  app: App,
  provider: ProviderRow,
  { method = 'GET', path, body }: ProviderCall,
): Promise<unknown> {
  const url = `${provider.base_url}${path}`;
  if (await isBlockedDomain(app, new URL(url).host)) throw new ProviderCallError('refused');
  const text = body === undefined ? '' : JSON.stringify(body);
  const signed = signRequest(
    'rfc9421',
    {
      method,
      url,
      digest: sha256(text),
      now: app.clock.now(),
      ...(body !== undefined && { contentType: 'application/json' }),
    },
    { keyId: provider.server_id, privateKey: createPrivateKey(provider.private_key_pem) },
  );
  const headers = { accept: 'application/json', ...signed };
  // The budget of a job is for what the response names.
  const response = await rootApp(app)
    .outgoing.request(url, {
      method,
      headers,
      maxBytes,
      timeoutMs,
      maxRedirects: 0,
      ...(text !== '' && { body: text }),
    })
    .catch((error: unknown) => {
      throw error instanceof OutgoingError ? new ProviderCallError(reasonOf(error)) : error;
    });
  return parseResponse(app, provider, response);
}

function reasonOf({ reason }: OutgoingError): CallError {
  switch (reason) {
    case 'timeout':
    case 'unreachable':
    case 'refused':
      return reason;
    case 'too-large':
      return 'too_large';
    default:
      return 'invalid_response';
  }
}

function parseResponse(app: App, provider: ProviderRow, response: OutgoingResponse): unknown {
  const { status, headers, body } = response;
  if (status < 200 || status >= 300) {
    const seconds = retryAfterSeconds(app, headers['retry-after'], maxRetryAfterSeconds);
    throw new ProviderCallError('status', { status, ...(seconds !== undefined && { retryAfterSeconds: seconds }) });
  }
  assertSigned(app, provider, response);
  if (body.length === 0) return undefined;
  try {
    return parseJson(body.toString('utf8'));
  } catch {
    throw new ProviderCallError('invalid_response');
  }
}

function assertSigned(app: App, provider: ProviderRow, { status, headers, body }: OutgoingResponse): void {
  try {
    const claim = parseResponseSignature({ status, headers, body, now: app.clock.now() });
    const key = keyObjectOf(provider.public_key);
    if (key !== undefined && isSignedBy(claim, key)) return;
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
  }
  throw new ProviderCallError('signature');
}
