/**
 * Beginnings that spreadsheets read as a formula, also after spaces and in full-width form, or that separate cells for
 * some of them. Apostrophes before them are covered too, so that `unescapeFormula` returns every value as it was.
 */
const formula = /^(?:['\s]*[=+\-@＝＋－＠]|'*[\t\r\n])/u;

/** Returns a value with an apostrophe in front if a spreadsheet would run it. */
export const escapeFormula = (value: string): string => (formula.test(value) ? `'${value}` : value);

/** Returns the value that `escapeFormula` escaped. */
export const unescapeFormula = (value: string): string =>
  value.startsWith("'") && formula.test(value.slice(1)) ? value.slice(1) : value;
