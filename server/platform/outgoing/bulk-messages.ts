import { toError } from '../errors.ts';
import { OutgoingError } from './outgoing-error.ts';
import type { OutgoingRequest, OutgoingResponse } from './outgoing.ts';
import { ProxyUnavailable } from './proxy-unavailable.ts';

/** A request for the thread of bulk requests. */
export interface BulkRequestMessage {
  readonly id: number;
  readonly url: string;
  readonly request: OutgoingRequest;
}

/** What became of a request. */
export type BulkResultMessage = { readonly id: number } & (
  | { readonly response: Omit<OutgoingResponse, 'body'> }
  | { readonly failure: SentError }
);

/** An OutgoingError between threads: a copied error would lose its class and its code. */
interface SentError {
  readonly reason: OutgoingError['reason'];
  readonly message: string;
  readonly cause?: { readonly isOfProxy: boolean; readonly message: string; readonly code: string | undefined };
}

export function sendError(error: unknown): SentError {
  const { message, cause } = toError(error);
  const reason = error instanceof OutgoingError ? error.reason : 'unreachable';
  if (cause === undefined) return { reason, message };
  const { message: causeMessage, code } = toError(cause);
  return { reason, message, cause: { isOfProxy: cause instanceof ProxyUnavailable, message: causeMessage, code } };
}

export function receiveError({ reason, message, cause }: SentError): OutgoingError {
  if (cause === undefined) return new OutgoingError(reason, message);
  const { isOfProxy, message: causeMessage, code } = cause;
  const original = isOfProxy ? new ProxyUnavailable(causeMessage) : Object.assign(new Error(causeMessage), { code });
  return new OutgoingError(reason, message, { cause: original });
}
