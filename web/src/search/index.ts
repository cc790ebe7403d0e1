// The field for searches.
export { SearchBox } from './search-box.tsx';
export type { Command } from './search-options.ts';
