import { InvalidArgumentError } from 'commander';
import { isId } from '../platform/ids.ts';

/** Fits an integer column of PostgreSQL. */
const maxNumber = 2_147_483_647;
/** So long lists are paged. */
const maxLimit = 1_000_000;
/** A century. */
const maxDays = 36_500;

/** Parses an option that is a whole number from 0. */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0.');
  return assertAtMost(Number(text), maxNumber);
}

/** Parses an option that is a positive whole number. */
export function parsePositiveInteger(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It must be a positive whole number.');
  return assertAtMost(number, maxNumber);
}

/** Parses the maximum number of items of a list. */
export const parseLimit = (text: string): number => assertAtMost(parsePositiveInteger(text), maxLimit);

/** Parses an option that is a number of days. */
export const parseDays = (text: string): number => assertAtMost(parsePositiveInteger(text), maxDays);

/** Parses an option that is an id, such as that after which a list continues. */
export function parseId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('It must be an id, as the list shows it.');
  return text;
}

/** Parses an option that is one day, such as 2026-12-31. */
export function parseDay(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('It must be a day such as 2026-12-31.');
  return text;
}

const timePattern = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?\s*(?:Z|[+-]\d\d:?\d\d)?)?$/i;

/** Parses an option that is a day or a time in ISO 8601; empty for none. */
export function parseTimeOrNone(text: string): string {
  if (text === '') return text;
  const [, day = ''] = timePattern.exec(text) ?? [];
  if (!isDay(day))
    throw new InvalidArgumentError(
      'It must be a day or time such as 2026-12-31 or 2026-12-31T18:00Z, or empty for none.',
    );
  return text;
}

/** Whether a text is a day of the calendar, unlike 2026-02-30. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = new Date(`${text}T00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** Returns a parser of names, separated by spaces or commas, that are all in `known`. `kind` is what they name. */
export function parseNamesOf(kind: string, known: readonly string[]): (text: string) => string[] {
  return (text) => {
    const names = text.split(/[\s,]+/).filter((name) => name !== '');
    const unknown = names.filter((name) => !known.includes(name));
    if (unknown.length > 0)
      throw new InvalidArgumentError(
        `It has an unknown ${kind}: ${unknown.join(', ')}. Known ones: ${known.join(', ')}.`,
      );
    return names;
  };
}

function assertAtMost(number: number, max: number): number {
  if (number > max) throw new InvalidArgumentError(`It must be at most ${max}.`);
  return number;
}
