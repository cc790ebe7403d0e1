import { SearchableText } from '../../filters/index.ts';
import type { JsonTemplate } from '../../platform/http/json-template.ts';
import type { PollWithEmojis } from '../../polls/read/index.ts';
import { htmlToText } from '../../text/index.ts';
import type { StatusContext } from './cached-status.ts';

/** The members of the JSON of a status that have text. */
interface Texts {
  readonly content: string;
  readonly spoiler_text: string;
  readonly media_attachments: readonly { readonly description?: string | null }[];
  readonly tags: readonly { readonly name: string }[];
}

/** Separates texts that do not belong together: no keyword contains it. */
const separator = '\0';

/**
 * Returns the text in which filters look for keywords: content warning, content, hashtags that the content does not
 * name, poll options and descriptions of media. It is read from the cached JSON, which spares storing it twice.
 */
export function searchableTextOf(template: JsonTemplate<StatusContext>, poll: PollWithEmojis | null): SearchableText {
  return new SearchableText(() => {
    const texts: Texts = JSON.parse(`${template.text}}`);
    const content = htmlToText(texts.content);
    const known = content.toLowerCase();
    return [
      texts.spoiler_text,
      content,
      ...texts.tags.map(({ name }) => `#${name}`).filter((tag) => !known.includes(tag.toLowerCase())),
      ...(poll?.options ?? []),
      ...texts.media_attachments.map(({ description }) => description ?? ''),
    ].join(separator);
  });
}
