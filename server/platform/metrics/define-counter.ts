import { perApp, type App } from '../app.ts';
import type { MetricSource, Sample } from './metric-source.ts';

/** Counts events of a process. Costs a look-up in a map, so it also counts while nobody collects metrics. */
export interface Counter<Label extends string> {
  readonly source: MetricSource;
  increment(app: App, labels: Readonly<Record<Label, string>>, by?: number): void;
}

/** Declares a counter with labels of few values each: every combination is kept in memory. */
export function defineCounter<const Label extends string>({
  labels,
  ...definition
}: Pick<MetricSource, 'name' | 'help'> & { readonly labels: readonly Label[] }): Counter<Label> {
  const countsOf = perApp(() => new Map<string, { value: number; readonly labels: Sample['labels'] }>());
  return {
    source: { ...definition, kind: 'counter', labels, collect: (app) => [...countsOf(app).values()] },
    increment(app, values, by = 1) {
      const counts = countsOf(app);
      const key = labels.map((label) => values[label]).join('\n');
      const count = counts.get(key);
      if (count === undefined) counts.set(key, { value: by, labels: values });
      else count.value += by;
    },
  };
}
