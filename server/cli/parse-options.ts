import { InvalidArgumentError } from 'commander';

/** Parses an option that is a whole number from 0. */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0.');
  return Number(text);
}

/** Parses an option that is a positive whole number. */
export function parsePositiveInteger(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It must be a positive whole number.');
  return number;
}
