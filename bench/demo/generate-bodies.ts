import type { App } from '../../server/platform/app.ts';
import { loadStems, propertyTerm, stemTerms, type Term, wordTerms } from '../../server/search/index.ts';
import { formatText } from '../../server/text/format/index.ts';
import { normalizeTag, splitWords } from '../../server/text/index.ts';
import { escapeCopyText } from './copy-buffer.ts';
import type { Random } from './random.ts';
import { languages, tags } from './vocabulary.ts';

/** The text of a post. `text` and `content` are escaped for COPY. */
export interface PostBody {
  readonly text: string;
  /** HTML without its first `<p>`. */
  readonly content: string;
  readonly language: string;
  /** The search index entry of the text. */
  readonly terms: readonly Term[];
  /** Indexes in the list of tags. */
  readonly tags: readonly number[];
}

/** Generates `count` bodies. Posts share them, because formatting a million would take minutes. */
export async function generateBodies(app: App, random: Random, count: number): Promise<PostBody[]> {
  const hashtagUrl = (name: string): string => `${app.config.baseUrl}/tags/${name}`;
  const bodies = Array.from({ length: count }, () => {
    const language = pickLanguage(random);
    const { code, openings, middles, endings } = language;
    const join = code === 'ja' ? '' : ' ';
    const sentences = [
      random.pick(openings),
      join,
      random.pick(middles),
      code === 'ja' ? '' : '. ',
      random.pick(endings),
    ];
    const tagged = random.chance(0.3)
      ? [...new Set([random.skewed(tags.length, 2), random.skewed(tags.length, 2)])]
      : [];
    const tail = tagged.map((tag) => `#${tags[tag]}`).join(' ');
    const text = `${sentences.join('').trim()}${tail === '' ? '' : `\n\n${tail}`}`;
    const content = formatText(text, { mentions: new Map(), hashtagUrl });
    return {
      text: escapeCopyText(text),
      content: escapeCopyText(content.slice('<p>'.length)),
      language: code,
      words: splitWords(text),
      tags: tagged,
    };
  });
  const stemOf = await loadStems(app, bodies);
  return bodies.map((body) => ({
    ...body,
    terms: [
      ...wordTerms(body.words),
      ...stemTerms(body.words, body.language, stemOf),
      ...body.tags.map((tag) => propertyTerm.tag(normalizeTag(tags[tag] ?? ''))),
      ...(body.text.includes('https://') ? [propertyTerm.has('link')] : []),
    ],
  }));
}

function pickLanguage(random: Random): (typeof languages)[number] {
  const share = random.next();
  let sum = 0;
  const found = languages.find((language) => (sum += language.share) > share) ?? languages[0];
  if (found === undefined) throw new Error('there are no languages');
  return found;
}
