// Finds keywords in folded text, in time that does not depend on their number.
export { KeywordAutomaton } from './keyword-automaton.ts';
export { TextGrams } from './text-grams.ts';
