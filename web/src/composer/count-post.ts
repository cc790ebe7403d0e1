import { countCharacters } from '../../../server/text/count-characters.ts';
import type { ComposedPost } from './composed.ts';

/** Returns how many characters a post has, as the server counts them: content warning and text together. */
export const countPost = ({
  text,
  warning,
  hasWarning,
}: Pick<ComposedPost, 'text' | 'warning' | 'hasWarning'>): number =>
  countCharacters((hasWarning ? warning.trim() : '') + text.trim());
