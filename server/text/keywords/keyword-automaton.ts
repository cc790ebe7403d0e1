import { outerGrams, type TextGrams } from './text-grams.ts';
import { isWordBoundary } from './word-boundaries.ts';

/** A keyword to look for, in the form of `foldText`. */
export interface Keyword {
  readonly text: string;
  /** Matches only between word boundaries. */
  readonly wholeWord: boolean;
  /** Index of the group that it belongs to. */
  readonly group: number;
}

/** The part of a text that matched. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Finds the first place where a group has one of its keywords, by an Aho–Corasick automaton. */
export class KeywordAutomaton {
  readonly #tree: PrefixTree;
  readonly #substrings: Outputs;
  readonly #words: Outputs;
  readonly #groupCount: number;
  /** For each keyword its first and last run of units. */
  readonly #grams: Uint16Array;

  constructor(keywords: readonly Keyword[]) {
    const searched = keywords.filter(({ text }) => text !== '');
    const tree = new PrefixTree(searched.map(({ text }) => text));
    this.#tree = tree;
    this.#substrings = new Outputs(
      tree,
      searched.filter(({ wholeWord }) => !wholeWord),
      () => true,
    );
    this.#words = new Outputs(
      tree,
      searched.filter(({ wholeWord }) => wholeWord),
      isWordBoundary,
    );
    this.#groupCount = new Set(searched.map(({ group }) => group)).size;
    this.#grams = Uint16Array.from(searched.flatMap(({ text }) => outerGrams(text)));
  }

  /** Number of states, to which memory and the time to build are proportional. */
  get size(): number {
    return this.#tree.size;
  }

  /** Returns false if a text has none of the keywords, in a few nanoseconds for each of them. */
  mayMatch(grams: TextGrams): boolean {
    for (let index = 0; index < this.#grams.length; index += 2)
      if (grams.has(this.#grams[index] ?? 0) && grams.has(this.#grams[index + 1] ?? 0)) return true;
    return false;
  }

  /**
   * Returns where each group matches first in a folded text: at the earliest end, by the longest keyword. The time is
   * linear in the text, whatever the keywords are.
   */
  search(text: string): Map<number, TextRange> {
    const found = new Map<number, TextRange>();
    const [tree, substrings, words] = [this.#tree, this.#substrings, this.#words];
    const [seenSubstrings, seenWords] = [new Set<number>(), new Set<number>()];
    const report = (outputs: Outputs, first: number, end: number, seen: Set<number>): void => {
      // Keywords that end inside a visited keyword were reported with it.
      for (let at = first; at !== 0 && !seen.has(at); at = outputs.inside(at)) {
        seen.add(at);
        addMatch(found, outputs.keywordsAt(at), { start: end - tree.depthOf(at), end });
      }
    };
    let state = 0;
    for (let index = 0; index < text.length; index += 1) {
      state = tree.advance(state, text.charCodeAt(index));
      if (state === 0) continue;
      const end = index + 1;
      if (substrings.hasAny(state))
        report(substrings, substrings.has(state) ? state : substrings.inside(state), end, seenSubstrings);
      if (words.hasAny(state) && isWordBoundary(text, end)) {
        const isWhole = words.has(state) && isWordBoundary(text, end - tree.depthOf(state));
        report(words, isWhole ? state : words.inside(state), end, seenWords);
      }
      if (found.size === this.#groupCount) break;
    }
    return found;
  }
}

function addMatch(found: Map<number, TextRange>, keywords: readonly Keyword[], range: TextRange): void {
  for (const { group } of keywords) {
    const earlier = found.get(group);
    if (earlier === undefined || (earlier.end === range.end && earlier.start > range.start)) found.set(group, range);
  }
}

/**
 * The tree of all prefixes of texts. State 0 is the empty prefix, and longer prefixes have higher numbers. Transitions are in
 * a hash table of numbers.
 */
class PrefixTree {
  #size = 1;
  readonly #parents: Int32Array;
  readonly #units: Uint16Array;
  readonly #depths: Int32Array;
  readonly #texts: readonly string[];
  /** For each state the place in `#texts` of one that begins with its prefix. */
  readonly #places: Int32Array;
  /** States by the hash of their parent and unit; 0: free. */
  readonly #slots: Int32Array;
  /** For each state that of the longest proper suffix that is also a prefix. */
  readonly #fallbacks: Int32Array;

  constructor(texts: readonly string[]) {
    const maxStates = texts.reduce((sum, { length }) => sum + length, 1);
    this.#texts = texts;
    this.#parents = new Int32Array(maxStates);
    this.#units = new Uint16Array(maxStates);
    this.#depths = new Int32Array(maxStates);
    this.#places = new Int32Array(maxStates);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * maxStates + 2)));
    let paths = texts.map((text, place) => ({ text, place, state: 0 }));
    for (let depth = 0; paths.length > 0; depth += 1) {
      paths = paths.filter(({ text }) => text.length > depth);
      for (const path of paths) path.state = this.#addState(path.state, path.text.charCodeAt(depth), path.place);
    }
    this.#fallbacks = new Int32Array(this.#size);
    for (let state = 1; state < this.#size; state += 1) {
      const parent = this.#parents[state] ?? 0;
      if (parent !== 0) this.#fallbacks[state] = this.advance(this.fallbackOf(parent), this.#units[state] ?? 0);
    }
  }

  get size(): number {
    return this.#size;
  }

  #addState(parent: number, unit: number, place: number): number {
    const slot = this.#findSlot(parent, unit);
    const existing = this.#slots[slot] ?? 0;
    if (existing !== 0) return existing;
    const state = this.#size;
    this.#size += 1;
    this.#parents[state] = parent;
    this.#units[state] = unit;
    this.#depths[state] = this.depthOf(parent) + 1;
    this.#places[state] = place;
    this.#slots[slot] = state;
    return state;
  }

  /** Returns the state of the longest suffix of a prefix and a unit that is also a prefix. */
  advance(state: number, unit: number): number {
    for (let from = state; ; from = this.fallbackOf(from)) {
      const target = this.#slots[this.#findSlot(from, unit)] ?? 0;
      if (target !== 0 || from === 0) return target;
    }
  }

  /** Returns the state of one of the texts. */
  find(text: string): number {
    let state = 0;
    for (let index = 0; index < text.length; index += 1) state = this.advance(state, text.charCodeAt(index));
    return state;
  }

  /** Returns the slot of the child of a state, or a free one. */
  #findSlot(parent: number, unit: number): number {
    const hash = Math.imul(Math.imul(parent, 0x9e3779b1) ^ unit, 0x85ebca6b);
    const mask = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const state = this.#slots[slot] ?? 0;
      if (state === 0 || (this.#units[state] === unit && this.#parents[state] === parent)) return slot;
    }
  }

  fallbackOf(state: number): number {
    return this.#fallbacks[state] ?? 0;
  }

  /** Returns the length of the prefix of a state. */
  depthOf(state: number): number {
    return this.#depths[state] ?? 0;
  }

  /** Returns a text that begins with the prefix of a state. */
  textOf(state: number): string {
    return this.#texts[this.#places[state] ?? 0] ?? '';
  }
}

/** The states at which keywords of one kind end. */
class Outputs {
  readonly #keywords: ReadonlyMap<number, readonly Keyword[]>;
  /** For each state the longest shorter keyword at its end; 0: none. */
  readonly #inside: Int32Array;

  /** `mayBegin`: whether a keyword may begin at a position of a text. */
  constructor(tree: PrefixTree, keywords: readonly Keyword[], mayBegin: (text: string, position: number) => boolean) {
    this.#keywords = Map.groupBy(keywords, ({ text }) => tree.find(text));
    this.#inside = new Int32Array(tree.size);
    if (keywords.length === 0) return;
    for (let state = 1; state < tree.size; state += 1) {
      const suffix = tree.fallbackOf(state);
      const isKeyword = this.has(suffix) && mayBegin(tree.textOf(state), tree.depthOf(state) - tree.depthOf(suffix));
      this.#inside[state] = isKeyword ? suffix : this.inside(suffix);
    }
  }

  /** Returns whether a keyword is the whole text of a state. */
  has(state: number): boolean {
    return this.#keywords.has(state);
  }

  /** Returns whether a keyword may end at a state. */
  hasAny(state: number): boolean {
    return this.inside(state) !== 0 || this.has(state);
  }

  /** Returns the state of the longest shorter keyword that ends at a state; 0: none. */
  inside(state: number): number {
    return this.#inside[state] ?? 0;
  }

  keywordsAt(state: number): readonly Keyword[] {
    return this.#keywords.get(state) ?? [];
  }
}
