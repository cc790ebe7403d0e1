import type { RequestContext } from '../../platform/http/routes.ts';

const maxKeyLength = 255;

/** Returns the Idempotency-Key of a request. */
export function parseIdempotencyKey({ headers }: RequestContext): string | undefined {
  const key = headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key.slice(0, maxKeyLength) : undefined;
}
