import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { App } from '../app.ts';
import { renderMetrics } from './collector.ts';

/** Serves the metrics on a port of their own, without a token, at any path. The caller closes the server. */
export async function serveMetrics(app: App, { host, port }: { host: string; port: number }): Promise<Server> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (_request, response) => {
    renderMetrics(app).then(
      (metrics) =>
        metrics === undefined
          ? response.writeHead(503).end()
          : response.writeHead(200, { 'content-type': metrics.type }).end(metrics.text),
      (error: unknown) => {
        app.log.warn({ err: error }, 'the metrics could not be collected');
        response.writeHead(500).end();
      },
    );
  });
  server.maxConnections = 32;
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
