import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { App } from '../app.ts';
import { checkReadiness } from '../http/readiness.ts';
import { renderMetrics } from './collector.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

/**
 * Serves the metrics on a port of their own, without a token, and `/health` and `/health/ready` as the role web does. All other
 * paths have the metrics. The caller closes the server.
 */
export async function serveMetrics(app: App, { host, port }: { host: string; port: number }): Promise<Server> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, ({ url = '/' }, response) => {
    answer(app, url.split('?', 1)[0] ?? '').then(
      ({ status, text, type = 'text/plain; charset=utf-8' }) =>
        response.writeHead(status, { 'content-type': type }).end(text),
      (error: unknown) => {
        app.log.warn({ err: error, url }, 'a request to METRICS_PORT failed');
        response.writeHead(500).end();
      },
    );
  });
  server.maxConnections = 32;
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

async function answer(app: App, path: string): Promise<Answer> {
  if (path === '/health') return { status: 200, text: 'OK' };
  if (path === '/health/ready') {
    const { isReady, text } = await checkReadiness(app);
    return { status: isReady ? 200 : 503, text };
  }
  const metrics = await renderMetrics(app);
  return metrics === undefined ? { status: 503, text: '' } : { status: 200, ...metrics };
}
