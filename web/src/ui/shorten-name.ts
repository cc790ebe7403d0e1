const maxLength = 24;

/** Returns a name of a person or server that is short enough for one line of a menu, with an ellipsis if it was longer. */
export function shortenName(name: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  return characters.length <= maxLength
    ? name
    : `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`;
}
