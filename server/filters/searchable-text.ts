import { foldText, sliceByFolded } from '../text/index.ts';
import { TextGrams } from '../text/keywords/index.ts';

/** The text of a status in which keywords are searched. It is folded when a viewer with filters first reads it. */
export class SearchableText {
  readonly #source: () => string;
  #folded: string | undefined;
  #grams: TextGrams | undefined;

  constructor(source: () => string) {
    this.#source = source;
  }

  /** The text in the form of `foldText`. */
  get folded(): string {
    this.#folded ??= foldText(this.#source());
    return this.#folded;
  }

  /** What the folded text consists of. */
  get grams(): TextGrams {
    this.#grams ??= new TextGrams(this.folded);
    return this.#grams;
  }

  /** Returns a part of the folded text as the status has it. */
  slice(start: number, end: number): string {
    return sliceByFolded(this.#source(), start, end);
  }
}
