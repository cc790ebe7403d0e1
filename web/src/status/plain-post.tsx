import type { CustomEmoji } from '../api/entities.ts';
import { EmojiText } from '../ui/display-name.tsx';

/** The plain text of a post, for an element with dir="auto": the mentions at its start do not decide the direction. */
export function PlainPost({ text, emojis }: { readonly text: string; readonly emojis: readonly CustomEmoji[] }) {
  const [mentions = ''] = /^@\S+(?:\s+@\S+)*(?=\s)/.exec(text) ?? [];
  return (
    <>
      {mentions !== '' && <bdi>{mentions}</bdi>}
      <EmojiText text={text.slice(mentions.length)} emojis={emojis} />
    </>
  );
}
