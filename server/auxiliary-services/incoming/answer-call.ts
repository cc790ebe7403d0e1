import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { verbatim } from '../../platform/i18n/message.ts';
import { parseJson } from '../../text/index.ts';
import { type Capability, listProvidersWith } from '../providers/capabilities.ts';
import type { ProviderRow } from '../tables.ts';
import { signedResponse, verifyProvider } from './verify-provider.ts';

/** The answer to a call, before it is signed. */
interface Answer {
  readonly status: number;
  readonly json?: unknown;
}

/**
 * Answers a call of a confirmed provider, with a signature. Throws 401 or 403 for others (`verifyProvider`). The answer is
 * 403 if staff have not enabled the capability.
 */
export async function answerCall(
  app: App,
  request: RequestContext,
  capability: Capability,
  handle: (provider: ProviderRow) => Promise<Answer>,
): Promise<HttpResponse> {
  const provider = await verifyProvider(app, request);
  try {
    const enabled = await listProvidersWith(app, capability);
    if (!enabled.some(({ id }) => id === provider.id))
      throw new HttpError(403, verbatim(`The capability ${capability} is not enabled`));
    return signedResponse(app, provider, await handle(provider));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return signedResponse(app, provider, { status: error.status, json: { error: error.message } });
  }
}

/** Parses the body of a call. Throws 422 if it is not JSON of this form. */
export function parseBody<Schema extends TObject>(request: RequestContext, schema: Schema): Static<Schema> {
  let value: unknown;
  try {
    value = parseJson(request.rawBody?.toString('utf8') ?? '');
  } catch {
    throw new HttpError(422, verbatim('The body is not JSON'));
  }
  if (Value.Check(schema, value)) return value;
  const [first] = Value.Errors(schema, value);
  throw new HttpError(422, verbatim(`${first?.instancePath ?? ''} ${first?.message ?? 'is invalid'}`.trim()));
}
