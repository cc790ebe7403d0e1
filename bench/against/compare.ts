/** CPU in milliseconds that an operation cost on both servers in a round. */
export interface RoundCost {
  readonly oldMs: number;
  readonly newMs: number;
}

/** The measurements of a row. */
export interface RowCosts {
  readonly name: string;
  readonly rounds: readonly RoundCost[];
}

/** A row of a comparison. */
export interface ComparedRow {
  readonly name: string;
  /** Medians, in milliseconds. */
  readonly oldMs: number;
  readonly newMs: number;
  /** Median of the ratios new/old of the rounds, with their quartiles. */
  readonly ratio: number;
  readonly quartiles: readonly [number, number];
}

/** The highest ratio of a row, and of all rows together. */
export const bars = { row: 1.05, all: 1.02 };

/** Compares the costs of a row, round by round: what else the machine does changes both costs of a round. */
export function compareRow({ name, rounds }: RowCosts): ComparedRow {
  const ratios = rounds.map(({ oldMs, newMs }) => newMs / oldMs);
  return {
    name,
    oldMs: quantile(rounds.map(({ oldMs }) => oldMs)),
    newMs: quantile(rounds.map(({ newMs }) => newMs)),
    ratio: quantile(ratios),
    quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  };
}

/** Returns the value below which this share of the values are, half of them by default, between two if necessary. */
function quantile(values: readonly number[], share = 0.5): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

/** Returns the geometric mean of the ratios of all rows. */
export const meanRatio = (rows: readonly ComparedRow[]): number =>
  Math.exp(rows.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / rows.length);

/** Whether the new server is as fast as the bars ask for. */
export const isFastEnough = (rows: readonly ComparedRow[]): boolean =>
  rows.every(({ ratio }) => ratio <= bars.row) && meanRatio(rows) <= bars.all;

/** Renders the table of a comparison, with a mark at the rows that are too slow. */
export function renderComparison(rows: readonly ComparedRow[]): string {
  const slow = rows.filter(({ ratio }) => ratio > bars.row);
  const lines = rows.map(({ name, oldMs, newMs, ratio, quartiles: [low, high] }) =>
    [
      '',
      name,
      oldMs.toFixed(3),
      newMs.toFixed(3),
      ratio.toFixed(3),
      `${low.toFixed(2)}–${high.toFixed(2)}`,
      ratio > bars.row ? 'slower' : '',
      '',
    ]
      .join(' | ')
      .trim(),
  );
  return [
    '| row | old ms | new ms | new / old | quartiles | |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
    `- Rows above ${bars.row}: ${slow.length} of ${rows.length}.`,
    `- Geometric mean of all rows: ${meanRatio(rows).toFixed(3)}; it may be ${bars.all}.`,
    '',
  ].join('\n');
}
