/** Values of a dimension. */
export const maxDimensionLimit = 100;
export const defaultDimensionLimit = 20;
/** Longer ranges of measures and dimensions are clipped (reference/limits.tsv: metrics range). */
export const maxRangeDays = 731;
/** Days of a retention table with daily cohorts; one with monthly cohorts may have `maxRangeDays`. */
export const maxDailyCohorts = 92;
/** Names in `keys`: every key, and some that this version does not know. */
export const maxKeys = 50;
