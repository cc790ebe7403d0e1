// Trends, shown beside the page in wide windows.
export { LazyAside } from './lazy-aside.tsx';
