// Measures, dimensions and retention tables as the dashboard of staff shows them.
export { dimensionKeys, loadDimensions } from './load-dimensions.ts';
export { loadMeasures } from './load-measures.ts';
export { loadRetention } from './load-retention.ts';
export { domainMeasures, plainMeasures, tagMeasures } from './measure-keys.ts';
