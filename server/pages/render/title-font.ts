import { readFileSync } from 'node:fs';

/** The font of titles, by the path that tokens.css names. Another content needs another name, because browsers keep it. */
export const titleFontPath = '/assets/literata-600.woff2';

export const titleFont = readFileSync(new URL('../../../web/src/styles/font/literata-600.woff2', import.meta.url));
