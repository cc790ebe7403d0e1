// Keyboard shortcuts.
export { Shortcuts } from './shortcuts.tsx';
