import { type Term, wordTerms } from '../../server/search/index.ts';
import { splitWords } from '../../server/text/index.ts';
import type { Random } from './random.ts';

/** Where a post was written: words that few posts share, so that search has rare ones. */
export interface Place {
  /** At the beginning of a post; safe as HTML. */
  readonly prefix: string;
  readonly terms: readonly Term[];
}

const beginnings =
  'Al Ash Bar Ben Bram Bur Cal Car Chil Cor Dar Den Dun El Fal Fen Gar Gil Hal Har Hol Ill Kel Kin Lan Lin Mal Mer Mil Nor Oak Or Pen Ral Ros Sel Sil Tar Tol Wex'.split(
    ' ',
  );
const middles =
  'a an ar be ber ca den der e el en er ga gen il in ing ley lin ma mer min ne on or ri sing ter ton ver'.split(' ');
const endings =
  'bank beck bourne bridge brook bury by combe cote dale den field ford gate ham holm hurst land leigh mere moor mouth port shaw stead thorpe ton vale wick worth'.split(
    ' ',
  );
const kanjiBeginnings = [...'青赤秋朝飯石泉稲岩上梅大岡奥柿春金川北清黒桑小桜塩下白杉高滝竹田玉鶴寺中夏西根野'];
const kanjiMiddles = [...'井池浦江尾形木岸口倉坂崎沢島瀬園谷塚津戸浜林原平船辺堀前松丸溝宮村森屋山吉代'];
const kanjiEndings = [...'駅川町島橋湖峠岬'];

/** Picks a place, popular ones more often. */
export function pickPlace(random: Random, language: string): Place {
  const isJapanese = language === 'ja';
  const [first, second, third] = isJapanese
    ? [kanjiBeginnings, kanjiMiddles, kanjiEndings]
    : [beginnings, middles, endings];
  const number = random.skewed(first.length * second.length * third.length, 3);
  const name = [
    first[number % first.length],
    second[Math.floor(number / first.length) % second.length],
    third[Math.floor(number / (first.length * second.length))],
  ].join('');
  return { prefix: isJapanese ? `${name}にて。` : `${name}: `, terms: wordTerms(splitWords(name)) };
}
