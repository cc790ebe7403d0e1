import { reportTemporaryFailure } from '../temporary-failures.ts';
import { valkeyWatch } from '../valkey-watch.ts';
import { retryLater } from './http-errors.ts';
import { HttpResponse } from './http-response.ts';
import { get, type Route } from './routes.ts';
import { textBody } from './text-bodies.ts';

const textResponse = (status: number, body: string, headers: Record<string, string> = {}): HttpResponse =>
  new HttpResponse({ status, text: body, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } });

/** Liveness and readiness, for load balancers and supervisors. */
export const healthRoutes: Route[] = [
  get('/health', {
    summary: 'Check whether the process is alive',
    access: 'anyone',
    rateLimit: 'none',
    ignoresBlocks: true,
    openInLimitedFederation: true,
    response: textBody('text/plain'),
    handle: () => textResponse(200, 'OK'),
  }),
  get('/health/ready', {
    summary: 'Check whether the process can serve: the database answers. Names what else does not answer',
    access: 'anyone',
    rateLimit: 'none',
    ignoresBlocks: true,
    openInLimitedFederation: true,
    response: textBody('text/plain'),
    async handle({ app }) {
      try {
        await app.pool.query('select 1');
        return textResponse(200, valkeyWatch(app).isAvailable === false ? 'OK\nValkey does not answer' : 'OK');
      } catch (error) {
        if (!reportTemporaryFailure(app, error)) throw error;
        return textResponse(503, 'The database does not answer', retryLater);
      }
    },
  }),
];
