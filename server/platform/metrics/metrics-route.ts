import { isEqualInConstantTime } from '../equal-in-constant-time.ts';
import { parseBearerToken } from '../http/authorize.ts';
import { notFound, unauthorized } from '../http/http-errors.ts';
import { HttpResponse } from '../http/http-response.ts';
import { get, type Route } from '../http/routes.ts';
import { renderMetrics } from './collector.ts';
import { textBody } from '../http/text-bodies.ts';

/** The metrics of this process, for callers with METRICS_TOKEN. Does not exist without one. */
export const metricsRoute: Route = get('/metrics', {
  summary: 'Get metrics of the process in the text format of Prometheus',
  access: 'anyone',
  rateLimit: 'none',
  undocumented: true,
  response: textBody('text/plain'),
  async handle({ app, request }) {
    const { METRICS_TOKEN: token } = app.config;
    if (token === undefined) throw notFound();
    const given = parseBearerToken(String(request.headers['authorization'] ?? ''));
    if (given === undefined || !isEqualInConstantTime(given, token)) throw unauthorized();
    const metrics = await renderMetrics(app);
    if (metrics === undefined) throw notFound();
    return new HttpResponse({ text: metrics.text, headers: { 'content-type': metrics.type } });
  },
});
