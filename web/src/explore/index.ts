// What is popular, beside the page on wide windows.
export { LazyAside } from './lazy-aside.tsx';
