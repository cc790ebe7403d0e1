interface Size {
  readonly width: number;
  readonly height: number;
}

/** Space above and below the line, so that its stroke is not cut off. */
const margin = 2;

/** Returns the points of a line through values, for the attribute of an SVG polyline. The lowest point is zero. */
export function toPoints(values: readonly number[], { width, height }: Size): string {
  const highest = Math.max(...values, 1);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const scale = (height - 2 * margin) / highest;
  return values.map((value, index) => `${round(index * step)},${round(height - margin - value * scale)}`).join(' ');
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Returns the change in per cent; undefined if there was nothing before or nothing changed. */
export function findTrend(now: number, before: number): number | undefined {
  if (before === 0 || now === before) return undefined;
  return Math.round(((now - before) / before) * 100);
}
