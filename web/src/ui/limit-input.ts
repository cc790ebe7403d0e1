import { truncateGraphemes } from '../../../server/text/count-characters.ts';

interface InputEvent {
  readonly currentTarget: HTMLInputElement | HTMLTextAreaElement;
}

/**
 * Returns an input handler that keeps the first `limit` characters as a reader counts them, and hands them to `set`. The
 * attribute `maxlength` counts an emoji as up to 20.
 */
export const limitInput =
  (limit: number | undefined, set: (text: string) => void) =>
  ({ currentTarget: field }: InputEvent): void => {
    const text = limit === undefined ? field.value : truncateGraphemes(field.value, limit);
    if (text !== field.value) field.value = text;
    set(text);
  };
