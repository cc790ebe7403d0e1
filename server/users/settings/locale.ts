/** Returns whether a text has the form of a language tag (`en`, `pt-BR`). */
export function isLocale(text: string | undefined): text is string {
  return text !== undefined && /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2}$/i.test(text);
}

/** Returns whether a text names a time zone of the IANA database. */
export function isTimeZone(text: string | undefined): text is string {
  if (text === undefined || text === '') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
