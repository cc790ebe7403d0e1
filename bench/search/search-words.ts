import { sql } from 'kysely';
import type { App } from '../../server/platform/app.ts';
import { wordTerms } from '../../server/search/index.ts';
import { htmlToText, splitWords } from '../../server/text/index.ts';

/** Words that each occur in about one of `rarity` seeded posts. */
export interface WordClass {
  readonly script: 'Latin' | 'Japanese';
  readonly rarity: number;
  readonly words: readonly { readonly word: string; readonly posts: number }[];
}

const rarities = [10, 1_000, 100_000];
const wordsPerClass = 5;
/** Words whose posts are counted, for each class. */
const maxCounted = 200;
const japaneseWords = new Intl.Segmenter('ja', { granularity: 'word' });

/** Draws words from a sample of the seeded texts. `finds`: whether a search for the word has results. */
export async function drawWords(app: App, finds: (word: string) => Promise<boolean>): Promise<WordClass[]> {
  const { rows } = await sql<{ text: string }>`
    select case when local then text else content end as text
    from statuses tablesample system (5) repeatable (1) where reblog_of_id is null`.execute(app.db);
  const { rows: totals } = await sql<{ total: number }>`select count(*)::int as total from status_search`.execute(
    app.db,
  );
  const total = totals[0]?.total ?? 0;
  const texts = rows.map(({ text }) => htmlToText(text));
  const classes: WordClass[] = [];
  for (const script of ['Latin', 'Japanese'] as const) {
    const shares = countWords(texts, script);
    for (const rarity of rarities) {
      const near = [...shares]
        .map(([word, count]) => ({ word, distance: Math.abs(Math.log((count / texts.length) * rarity)) }))
        .toSorted((a, b) => a.distance - b.distance)
        .slice(0, maxCounted);
      const counted: { word: string; posts: number; distance: number }[] = [];
      for (const { word } of near) {
        const posts = await countPosts(app, word);
        counted.push({ word, posts, distance: Math.abs(Math.log((posts / total) * rarity)) });
      }
      const words: { word: string; posts: number }[] = [];
      for (const { word, posts } of counted.toSorted((a, b) => a.distance - b.distance)) {
        if (words.length < wordsPerClass && (await finds(word))) words.push({ word, posts });
      }
      classes.push({ script, rarity, words });
    }
  }
  return classes;
}

/** Returns in how many texts each word is. */
function countWords(texts: readonly string[], script: WordClass['script']): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of new Set(listWords(text, script))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function listWords(text: string, script: WordClass['script']): string[] {
  if (script === 'Latin')
    return text.toLowerCase().match(/(?<![\p{L}\p{N}_@#./])\p{Script=Latin}{2,}(?![\p{L}\p{N}_./])/gu) ?? [];
  return [...japaneseWords.segment(text)]
    .map(({ segment }) => segment)
    .filter((word) => /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,}$/u.test(word));
}

async function countPosts(app: App, word: string): Promise<number> {
  const { rows } = await sql<{ posts: number }>`
    select count(*)::int as posts from status_search
    where terms @> ${wordTerms(splitWords(word))}::int[]`.execute(app.db);
  return rows[0]?.posts ?? 0;
}
