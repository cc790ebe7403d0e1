const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Returns a duration in its largest unit, such as "6 hours". */
export function formatDuration(locale: string, seconds: number): string {
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? units[2];
  return (seconds / length).toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'long' });
}
