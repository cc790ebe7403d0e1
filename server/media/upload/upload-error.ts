import type { App } from '../../platform/app.ts';
import { unprocessable } from '../../platform/http/http-errors.ts';
import { RefusedFile } from '../decoding/decoder-pool.ts';

/** The 422 that the owner of a refused file gets; any other error stays what it is. */
export function toUploadError(app: App, error: unknown): unknown {
  if (!(error instanceof RefusedFile)) return error;
  app.log.debug({ reason: error.cause ?? error.message }, 'an uploaded file is refused');
  return unprocessable(error.message);
}
