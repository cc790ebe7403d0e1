import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from '../server.ts';
import { metricSources } from '../../server/app.ts';
import { renderMetrics, startMetrics } from '../../server/platform/metrics/collector.ts';

const root = join(import.meta.dirname, '..', '..');
/** What a query has besides names of metrics: functions, words of PromQL, and labels. */
const notMetrics = /^(?:[a-z_0-9]+(?=\()|by|without|sum|max|min|avg|and|or|on|le|inf)$/;

/** Returns the names of metrics in a query. */
function metricsOf(query: string): string[] {
  const bare = query
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ');
  return [...bare.matchAll(/[a-zA-Z_:][\w:]*(?!\w*\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => name.includes('_') && !notMetrics.test(name));
}

test('every metric of the dashboard and of the documented alerts exists', async () => {
  const dashboard = readFileSync(join(root, 'deploy/monitoring/grafana-dashboard.json'), 'utf8');
  const queries = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
    ([, text = '']) => JSON.parse(text) as string,
  );
  const [, table = ''] =
    /Worth an alert:\n\n([\s\S]*?)\n\n/.exec(readFileSync(join(root, 'docs/operations.md'), 'utf8')) ?? [];
  const alerts = [...table.matchAll(/^\| `([^`]*)`/gm)].map(([, query = '']) => query);
  expect([queries.length, alerts.length].every((count) => count > 4)).toBe(true);
  const used = [...new Set([...queries, ...alerts].flatMap(metricsOf))].toSorted();
  expect(used.length).toBeGreaterThan(10);

  await using server = await startServer({ settings: { METRICS_TOKEN: 'a-token-for-metrics' } });
  await startMetrics(server.app, metricSources);
  const { text = '' } = (await renderMetrics(server.app)) ?? {};
  const declared = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' || type === 'summary' ? ['', '_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  );
  expect(used.filter((name) => !declared.includes(name))).toEqual([]);
});
