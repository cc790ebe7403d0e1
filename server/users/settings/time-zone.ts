/** Returns whether a text names a time zone of the IANA database. */
export function isTimeZone(text: string | undefined): text is string {
  if (text === undefined || text === '') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
