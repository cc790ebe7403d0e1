import { retryLater } from './http-errors.ts';
import { HttpResponse } from './http-response.ts';
import { checkReadiness } from './readiness.ts';
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
      const { isReady, text } = await checkReadiness(app);
      return isReady ? textResponse(200, text) : textResponse(503, text, retryLater);
    },
  }),
];
