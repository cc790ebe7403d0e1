/** Maximum number of successive marks; no writing system needs half as many. */
const maxMarks = 32;
const excessMarks = new RegExp(String.raw`([\p{M}\p{EMod}\p{Cf}]{${maxMarks}})[\p{M}\p{EMod}\p{Cf}]+`, 'gu');

/**
 * Removes the marks (accents, skin tones, joiners) that follow the first 32 of a row. Browsers need time that grows
 * with the square of their number: twenty posts of 32,000 accents, 64 KB each, did not load within a minute.
 */
export const limitClusters = (text: string): string => text.replace(excessMarks, '$1');
