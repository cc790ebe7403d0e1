import type { App } from '../platform/app.ts';
import { unprocessable } from '../platform/http/problems.ts';
import { RefusedFile } from './decoding/decoders.ts';

/** The 422 that the owner of a refused file gets; any other error stays what it is. */
export function asProblem(app: App, error: unknown): unknown {
  if (!(error instanceof RefusedFile)) return error;
  app.log.debug({ reason: error.cause ?? error.message }, 'an uploaded file is refused');
  return unprocessable(error.message);
}
