import type { Status } from '../api/entities.ts';

const wordsPerSecond = 230 / 60;
/** Han, Hiragana and Katakana have no spaces between words. */
const lettersPerSecond = 500 / 60;
const secondsPerImage = 5;
const secondsPerOption = 1;
const maxSecondsPerRecording = 60;
/** To find one's way from post to post. */
const secondsPerPost = 2;

type ReadStatus = Pick<Status, 'content' | 'spoiler_text' | 'media_attachments' | 'poll'>;

/** Returns about how many seconds it takes to read a post and to look at its media. */
export function readingSeconds({ content, spoiler_text: warning, media_attachments: media, poll }: ReadStatus): number {
  const text = `${warning} ${content.replaceAll(/<[^>]*>/g, ' ').replaceAll(/https?:\S+/g, ' ')}`;
  const letters = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const words =
    text.match(/(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}'’-])+/gu)?.length ?? 0;
  const looking = media.reduce((sum, { type, meta }) => sum + secondsOf(type, meta?.original?.duration), 0);
  const options = (poll?.options.length ?? 0) * secondsPerOption;
  return secondsPerPost + letters / lettersPerSecond + words / wordsPerSecond + looking + options;
}

const secondsOf = (type: string, duration: number | undefined): number =>
  type === 'image' || type === 'unknown'
    ? secondsPerImage
    : Math.min(maxSecondsPerRecording, duration ?? secondsPerImage);
