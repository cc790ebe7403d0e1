// The field for searches.
export { SearchBox } from './search-box.tsx';
