// The palette, which leads to every page by its name.
export { Palette } from './palette.tsx';
