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
  /** Number of states, to which memory and the time to build are proportional. */
  readonly size: number;
  readonly #transitions: Transitions;
  /** The state of the longest proper suffix that is also a prefix of a keyword. */
  readonly #fallbacks: Int32Array;
  readonly #substrings: Outputs;
  readonly #words: Outputs;
  readonly #groupCount: number;
  /** For each keyword its first and last run of units. */
  readonly #grams: Uint16Array;

  constructor(keywords: readonly Keyword[]) {
    const searched = keywords.filter(({ text }) => text !== '');
    const transitions = new Transitions(searched.map(({ text }) => text));
    const [substrings, words] = [new Map<number, Set<number>>(), new Map<number, Set<number>>()];
    for (const { text, wholeWord, group } of searched) {
      const outputs = wholeWord ? words : substrings;
      const state = transitions.follow(text);
      outputs.set(state, (outputs.get(state) ?? new Set()).add(group));
    }
    this.size = transitions.stateCount;
    this.#transitions = transitions;
    this.#fallbacks = findFallbacks(transitions);
    this.#substrings = new Outputs(substrings, this.#fallbacks, () => true);
    this.#words = new Outputs(words, this.#fallbacks, (state, suffix) =>
      isWordBoundary(transitions.textOf(state), transitions.depthOf(state) - transitions.depthOf(suffix)),
    );
    this.#groupCount = new Set(searched.map(({ group }) => group)).size;
    this.#grams = Uint16Array.from(searched.flatMap(({ text }) => outerGrams(text)));
  }

  /** Returns false if a text has none of the keywords, in a few nanoseconds for each of them. */
  mayMatch(grams: TextGrams): boolean {
    for (let index = 0; index < this.#grams.length; index += 2)
      if (grams.has(this.#grams[index] as number) && grams.has(this.#grams[index + 1] as number)) return true;
    return false;
  }

  /**
   * Returns where each group matches first in a folded text: at the earliest end, by the longest keyword. The time is
   * linear in the text, whatever the keywords are.
   */
  search(text: string): Map<number, TextRange> {
    const found = new Map<number, TextRange>();
    const [transitions, substrings, words] = [this.#transitions, this.#substrings, this.#words];
    const [seenSubstrings, seenWords] = [new Set<number>(), new Set<number>()];
    const report = (outputs: Outputs, first: number, end: number, seen: Set<number>): void => {
      // Keywords that end inside a visited keyword were reported with it.
      for (let at = first; at !== 0 && !seen.has(at); at = outputs.inside(at)) {
        seen.add(at);
        addMatch(found, outputs.groupsAt(at), { start: end - transitions.depthOf(at), end });
      }
    };
    let state = 0;
    for (let index = 0; index < text.length; index += 1) {
      state = this.#advance(state, text.charCodeAt(index));
      if (state === 0) continue;
      const end = index + 1;
      if (substrings.hasAny(state))
        report(substrings, substrings.has(state) ? state : substrings.inside(state), end, seenSubstrings);
      if (words.hasAny(state) && isWordBoundary(text, end)) {
        const isWhole = words.has(state) && isWordBoundary(text, end - transitions.depthOf(state));
        report(words, isWhole ? state : words.inside(state), end, seenWords);
      }
      if (found.size === this.#groupCount) break;
    }
    return found;
  }

  #advance(state: number, unit: number): number {
    let from = state;
    let target = this.#transitions.target(from, unit);
    while (target === 0 && from !== 0) {
      from = this.#fallbacks[from] as number;
      target = this.#transitions.target(from, unit);
    }
    return target;
  }
}

function addMatch(found: Map<number, TextRange>, groups: ReadonlySet<number>, range: TextRange): void {
  for (const group of groups) {
    const earlier = found.get(group);
    if (earlier === undefined || (earlier.end === range.end && earlier.start > range.start)) found.set(group, range);
  }
}

/**
 * The tree of all prefixes of keywords. State 0 is the empty prefix, and longer prefixes have higher numbers. Transitions
 * are in a hash table of numbers.
 */
class Transitions {
  stateCount = 1;
  readonly #parents: Int32Array;
  readonly #units: Uint16Array;
  readonly #depths: Int32Array;
  readonly #texts: readonly string[];
  /** For each state the place in `#texts` of one that begins with its prefix. */
  readonly #textPlaces: Int32Array;
  /** States by the hash of their parent and unit; 0: free. */
  readonly #slots: Int32Array;
  readonly #mask: number;

  constructor(texts: readonly string[]) {
    const maxStates = texts.reduce((sum, { length }) => sum + length, 1);
    this.#parents = new Int32Array(maxStates);
    this.#units = new Uint16Array(maxStates);
    this.#depths = new Int32Array(maxStates);
    this.#texts = texts;
    this.#textPlaces = new Int32Array(maxStates);
    const slotCount = 2 ** Math.ceil(Math.log2(2 * maxStates + 2));
    this.#slots = new Int32Array(slotCount);
    this.#mask = slotCount - 1;
    let paths = texts.map((text, place) => ({ text, place, state: 0 }));
    for (let depth = 0; paths.length > 0; depth += 1) {
      paths = paths.filter(({ text }) => text.length > depth);
      for (const path of paths) path.state = this.#addTransition(path.state, path.text.charCodeAt(depth), path.place);
    }
  }

  /** Returns the state of a text that is one of the prefixes. */
  follow(text: string): number {
    let state = 0;
    for (let index = 0; index < text.length; index += 1) state = this.target(state, text.charCodeAt(index));
    return state;
  }

  #addTransition(from: number, unit: number, textPlace: number): number {
    const slot = this.#findSlot(from, unit);
    const existing = this.#slots[slot] as number;
    if (existing !== 0) return existing;
    const state = this.stateCount;
    this.stateCount += 1;
    this.#parents[state] = from;
    this.#units[state] = unit;
    this.#textPlaces[state] = textPlace;
    this.#depths[state] = (this.#depths[from] as number) + 1;
    this.#slots[slot] = state;
    return state;
  }

  /** Returns the state that a unit leads to; 0 if there is none. */
  target(from: number, unit: number): number {
    return this.#slots[this.#findSlot(from, unit)] as number;
  }

  #findSlot(from: number, unit: number): number {
    const hash = Math.imul(Math.imul(from, 0x9e3779b1) ^ unit, 0x85ebca6b);
    let slot = (hash ^ (hash >>> 15)) & this.#mask;
    for (;;) {
      const state = this.#slots[slot] as number;
      if (state === 0 || (this.#units[state] === unit && this.#parents[state] === from)) return slot;
      slot = (slot + 1) & this.#mask;
    }
  }

  parentOf(state: number): number {
    return this.#parents[state] as number;
  }

  unitOf(state: number): number {
    return this.#units[state] as number;
  }

  /** Returns a text that begins with the prefix of a state. */
  textOf(state: number): string {
    return this.#texts[this.#textPlaces[state] as number] as string;
  }

  /** Returns the length of the prefix of a state. */
  depthOf(state: number): number {
    return this.#depths[state] as number;
  }
}

/** Returns for each state the one to continue from when no transition fits. */
function findFallbacks(transitions: Transitions): Int32Array {
  const fallbacks = new Int32Array(transitions.stateCount);
  for (let state = 1; state < transitions.stateCount; state += 1) {
    if (transitions.depthOf(state) === 1) continue;
    const unit = transitions.unitOf(state);
    let from = fallbacks[transitions.parentOf(state)] as number;
    while (from !== 0 && transitions.target(from, unit) === 0) from = fallbacks[from] as number;
    fallbacks[state] = transitions.target(from, unit);
  }
  return fallbacks;
}

/** The states at which keywords of one kind end, and the groups that have them. */
class Outputs {
  readonly #groups: ReadonlyMap<number, ReadonlySet<number>>;
  /** For each state the longest shorter keyword at its end; 0: none. */
  readonly #inside: Int32Array;

  /** `mayBegin`: whether a keyword may begin inside the text of a state, as its suffix. */
  constructor(
    groups: ReadonlyMap<number, ReadonlySet<number>>,
    fallbacks: Int32Array,
    mayBegin: (state: number, suffix: number) => boolean,
  ) {
    this.#groups = groups;
    this.#inside = new Int32Array(fallbacks.length);
    if (groups.size === 0) return;
    for (let state = 1; state < fallbacks.length; state += 1) {
      const suffix = fallbacks[state] as number;
      const isKeyword = groups.has(suffix) && mayBegin(state, suffix);
      this.#inside[state] = isKeyword ? suffix : (this.#inside[suffix] as number);
    }
  }

  /** Returns whether a keyword is the whole text of a state. */
  has(state: number): boolean {
    return this.#groups.has(state);
  }

  /** Returns whether a keyword may end at a state. */
  hasAny(state: number): boolean {
    return this.#inside[state] !== 0 || this.#groups.has(state);
  }

  /** Returns the state of the longest shorter keyword that ends at a state; 0: none. */
  inside(state: number): number {
    return this.#inside[state] as number;
  }

  groupsAt(state: number): ReadonlySet<number> {
    return this.#groups.get(state) as ReadonlySet<number>;
  }
}
