const timePattern =
  /^(\d{4}-\d\d)(-\d\d)?(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d{1,9})?))?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Parses a time in ISO 8601: a month, a day or a time of a day, in UTC unless it has an offset. Returns undefined for any other
 * text, and for a time that does not exist: `Date` takes the 30th of February for the 2nd of March.
 */
export function parseTime(text: string): Date | undefined {
  const [, month, dayOfMonth = '-01', hours = '00', minutes = '00', seconds = '00', zone = 'Z'] =
    timePattern.exec(text.trim()) ?? [];
  if (month === undefined || !isDay(`${month}${dayOfMonth}`)) return undefined;
  const date = new Date(`${month}${dayOfMonth}T${hours}:${minutes}:${seconds}${offsetOf(zone)}`);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}

/** Whether a text is a day that exists, such as `2028-02-29`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < '0001') return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Returns an offset as `Date` parses it. */
function offsetOf(zone: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return hours === undefined ? 'Z' : `${hours}:${minutes}`;
}
