import type { App } from '../../platform/app.ts';
import { html, type Html } from '../../platform/http/html.ts';
import type { UserId } from '../../platform/ids.ts';
import { loadWebSettings } from '../../users/settings/index.ts';

/** How the web client looks, in words of its settings. The first one of each is the default. */
const choices = {
  theme: ['auto', 'light', 'dark', 'contrast'],
  textSize: ['normal', 'small', 'large', 'huge'],
  density: ['normal', 'compact', 'airy'],
  motion: ['auto', 'reduced'],
} as const;

export type Appearance = { readonly [Name in keyof typeof choices]: (typeof choices)[Name][number] };

/** Returns the appearance that a user chose in the web client. Anything unknown counts as the default. */
export async function loadAppearance(app: App, userId: UserId): Promise<Appearance> {
  return parseAppearance((await loadWebSettings(app, userId)).data.text);
}

/** Returns the appearance in the JSON of the settings of a web client, of which the server checks nothing else. */
export function parseAppearance(settings: string): Appearance {
  const { appearance }: { appearance?: unknown } = JSON.parse(settings);
  const chosen = typeof appearance === 'object' && appearance !== null ? (appearance as Record<string, unknown>) : {};
  const entries = Object.entries(choices).map(([name, values]) => [
    name,
    values.find((value) => value === chosen[name]) ?? values[0],
  ]);
  return Object.fromEntries(entries) as Appearance;
}

const defaultAppearance = parseAppearance('{}');

/** Returns the attributes of the root element, which the tokens of the design know, so that the first paint is right. */
export const appearanceAttributes = ({ theme, textSize, density, motion }: Appearance = defaultAppearance): Html =>
  html`data-theme="${theme}" data-text-size="${textSize}" data-density="${density}" data-motion="${motion}"`;

/** The background of each theme: --paper of the tokens (web/src/styles/tokens.css). */
export const backgrounds = { light: '#f7f4ee', dark: '#14181f', contrast: '#000000' } as const;

/** Returns the elements that tell the browser the colour around the page. */
export function themeColors({ theme }: Appearance = defaultAppearance): Html {
  if (theme !== 'auto') return html`<meta name="theme-color" content="${backgrounds[theme]}" />`;
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="${backgrounds.light}" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="${backgrounds.dark}" />`;
}
