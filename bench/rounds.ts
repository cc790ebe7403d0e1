import type { App } from '../server/platform/app.ts';
import type { BenchmarkCase } from './cases.ts';
import { measure, type Measurement, type MeasuredServer } from './measure.ts';

/** A case, and who answers it. */
export interface MeasurementTarget {
  readonly benchmarkCase: BenchmarkCase;
  readonly server: MeasuredServer;
}

/**
 * Measures all cases repeatedly, each with its share of `requests` per round. Returns the results of each round: the
 * load of a shared machine varies, so one measurement says little.
 */
export async function measureRounds(
  app: App,
  targets: readonly MeasurementTarget[],
  { rounds, requests }: { rounds: number; requests: number },
): Promise<Measurement[][]> {
  const results: Measurement[][] = targets.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, { benchmarkCase, server }] of targets.entries()) {
      process.stderr.write(`Round ${round + 1} of ${rounds}: ${benchmarkCase.name}\n`);
      const count = Math.ceil(requests * benchmarkCase.share);
      results[place]?.push(await measure(app, server, benchmarkCase, { count, round }));
    }
  }
  return results;
}

/** Returns the milliseconds of CPU of a request, PostgreSQL included. */
export const cpuOf = ({ nodeMs, postgresMs }: Measurement): number => nodeMs + postgresMs;

/** Returns how many times as much CPU the first cost, round by round: the median, and all as text. */
export function compareRounds(
  measurements: readonly Measurement[],
  baseline: readonly Measurement[],
): { readonly median: number; readonly all: string } {
  const ratios = measurements
    .map((measurement, round) => cpuOf(measurement) / cpuOf(baseline[round] as Measurement))
    .toSorted((a, b) => a - b);
  return {
    median: ratios[Math.floor((ratios.length - 1) / 2)] ?? Number.NaN,
    all: ratios.map((ratio) => ratio.toFixed(2)).join(', '),
  };
}

/** The one in the middle by what it cost. */
export function medianOf(measurements: readonly Measurement[]): Measurement {
  const sorted = measurements.toSorted((a, b) => cpuOf(a) - cpuOf(b));
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}
