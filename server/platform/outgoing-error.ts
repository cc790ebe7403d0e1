/**
 * Why a request to another host got no answer. `refused`: by our own rules, a retry makes no sense. `over-budget`: not sent,
 * or cut short, because the work it belongs to has used up its fetch budget; it says nothing about the host.
 */
export class OutgoingError extends Error {
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

/** Whatever a request threw, as the OutgoingError that callers expect. */
export function toOutgoingError(error: unknown, host: string): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const { code, message } = error as { code?: string; message?: string };
  const text = `${host}: ${message ?? 'no answer'}`;
  if (timeoutCodes.has(code ?? '')) return new OutgoingError('timeout', text, { cause: error });
  if (sizeLimitCodes.has(code ?? '')) return new OutgoingError('too-large', text, { cause: error });
  return new OutgoingError('unreachable', text, { cause: error });
}
