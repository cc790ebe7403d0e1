/** What a request of a row cost in one round. */
export interface RowCost {
  readonly ms: number;
  /** Of the last response. */
  readonly bytes: number;
  readonly failedShare: number;
}

/** The rounds of a row on this server and on the other one. */
export interface RowCosts {
  readonly name: string;
  readonly sides: readonly (readonly RowCost[])[];
}

/** Renders the comparison. Both columns are figures of the same run. */
export function renderBeside(
  rows: readonly RowCosts[],
  { origin, measuresCpu }: { origin: string; measuresCpu: boolean },
): string {
  return [
    measuresCpu
      ? `CPU of a request on this server and on ${origin}, by turns: medians of the rounds, with their range.`
      : `Time of a run divided by its requests, on this server and on ${origin}, by turns: medians of the rounds, with their range.`,
    'The bytes are those of the last response; failed requests are those that were not answered with 200.',
    '',
    '| request | ours | range | theirs | range | theirs / ours | our bytes | their bytes | failed |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map(renderRow),
    '',
  ].join('\n');
}

function renderRow({ name, sides: [ours = [], theirs = []] }: RowCosts): string {
  const ratios = ours.map(({ ms }, round) => (theirs[round]?.ms ?? Number.NaN) / ms);
  const ratio = medianOf(ratios);
  const failed = [ours, theirs].map((costs) => Math.max(0, ...costs.map(({ failedShare }) => failedShare)));
  const cells = [
    name,
    ...cellsOf(ours),
    ...cellsOf(theirs),
    Number.isFinite(ratio) ? ratio.toFixed(2) : '',
    ...[ours, theirs].map((costs) => (costs.at(-1)?.bytes ?? 0).toLocaleString('en')),
    failed.some((share) => share > 0) ? failed.map((share) => `${Math.round(share * 100)} %`).join(' and ') : '',
  ];
  return `| ${cells.join(' | ')} |`;
}

function cellsOf(costs: readonly RowCost[]): string[] {
  const values = costs.map(({ ms }) => ms);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return [`${medianOf(values).toFixed(3)} ms`, `${low.toFixed(3)}–${high.toFixed(3)} ms`];
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}
