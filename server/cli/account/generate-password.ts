import { randomInt } from 'node:crypto';

/** Returns four groups of five letters that are easy to tell apart: 91 bits. */
export function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz';
  const group = (): string => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}
