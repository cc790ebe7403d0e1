import { UserFacingError } from '../user-facing-error.ts';
import { toError } from '../errors.ts';

/**
 * Why a request to another host failed. `refused`: forbidden by our own rules, do not retry. `over-budget`: not sent or
 * aborted, because its work has used up its fetch budget; the host may be fine.
 */
export class OutgoingError extends UserFacingError {
  override name = 'OutgoingError';
  readonly reason: 'refused' | 'timeout' | 'too-large' | 'unreachable' | 'over-budget';

  constructor(reason: OutgoingError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
const sizeLimitCodes = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_EXCEEDED_MAX_SIZE', 'ERR_BUFFER_TOO_LARGE']);

/** Converts an error of a request to an OutgoingError. */
export function toOutgoingError(error: unknown, host: string): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const { code, message } = toError(error);
  const text = `${host}: ${message ?? 'no answer'}`;
  if (timeoutCodes.has(code ?? '')) return new OutgoingError('timeout', text, { cause: error });
  if (sizeLimitCodes.has(code ?? '')) return new OutgoingError('too-large', text, { cause: error });
  return new OutgoingError('unreachable', text, { cause: error });
}
