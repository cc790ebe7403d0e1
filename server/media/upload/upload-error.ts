import type { App } from '../../platform/app.ts';
import { unprocessable } from '../../platform/http/http-errors.ts';
import { RefusedFile } from '../decoding/decoder-pool.ts';

/** Converts a refused file to a 422 for its owner; returns any other error unchanged. */
export function toUploadError(app: App, error: unknown): unknown {
  if (!(error instanceof RefusedFile)) return error;
  app.log.debug({ reason: error.cause ?? error.message }, 'an uploaded file is refused');
  return unprocessable(error.text);
}
