/** Letters for which digits are used, as in Mastodon. */
const letters: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  2: 'z',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
};

/** Returns a username as blocks compare it: in lower case, with letters in place of digits that look like them. */
export const normalizeUsername = (username: string): string =>
  username.toLowerCase().replaceAll(/[0-9]/g, (digit) => letters[digit] ?? digit);
