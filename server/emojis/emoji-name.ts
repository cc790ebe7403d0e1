const emojiPattern = /^\p{RGI_Emoji}$/v;
const pictographPattern = /^\p{Extended_Pictographic}$/u;
const presentationSelector = '\uFE0F';

/**
 * Returns a Unicode emoji in the form in which Unicode recommends it for interchange; undefined for any other text. A
 * symbol such as a heart gets the selector that shows it as an emoji, because clients send it with and without.
 */
export function normalizeEmoji(text: string): string | undefined {
  const name = pictographPattern.test(text) && !emojiPattern.test(text) ? text + presentationSelector : text;
  return emojiPattern.test(name) ? name : undefined;
}
