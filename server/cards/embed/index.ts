// How other pages can embed a remote page.
export { fetchEmbed, type Embed } from './fetch-embed.ts';
