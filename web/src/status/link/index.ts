// The preview of a link.
export { LinkCard } from './link-card.tsx';
