import { OutgoingError } from '../outgoing/outgoing-error.ts';
import type { Outgoing, OutgoingRequest, OutgoingResponse } from '../outgoing/outgoing.ts';
import { currentSpan, errorTypeOf, runInSpan, type Span } from './span.ts';

/**
 * Returns a client whose requests are spans of the trace that they belong to. Other hosts learn nothing of it: no header is
 * added. The path is left out, because it may name an account.
 */
export const traceOutgoing = (outgoing: Outgoing): Outgoing => ({
  request(url, request = {}) {
    const parent = currentSpan();
    if (parent?.isRecording !== true) return outgoing.request(url, request);
    const { method = 'GET' } = request;
    const host = URL.parse(url)?.hostname ?? '';
    const attributes = { 'http.request.method': method, 'server.address': host };
    const span = parent.startChild({ name: method, kind: 'client', attributes });
    return runInSpan(span, () => send(outgoing, { url, request, span }));
  },
  close: () => outgoing.close(),
});

async function send(
  outgoing: Outgoing,
  { url, request, span }: { url: string; request: OutgoingRequest; span: Span },
): Promise<OutgoingResponse> {
  try {
    const response = await outgoing.request(url, request);
    span.setAttributes({ 'http.response.status_code': response.status });
    span.end(response.status >= 400 ? String(response.status) : undefined);
    return response;
  } catch (error) {
    span.end(error instanceof OutgoingError ? error.reason : errorTypeOf(error));
    throw error;
  }
}
