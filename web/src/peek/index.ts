// Previews of what links lead to, by resting the pointer, a key or a long press.
export { peekAtFocus, startPeeks } from './watch-links.ts';
