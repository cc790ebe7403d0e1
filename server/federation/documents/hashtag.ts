import { profileUrl } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { Json } from './values.ts';

interface TagNames {
  readonly name: string;
  readonly display_name: string;
}

/** Returns a hashtag that links to its timeline. */
export function hashtag(app: App, { name, display_name: shown }: TagNames): Json {
  return { type: 'Hashtag', href: `${app.config.baseUrl}/tags/${encodeURIComponent(name)}`, name: `#${shown}` };
}

/** Returns a featured hashtag of a local account that links to the account's posts with it. */
export function featuredHashtag(app: App, username: string, { name, display_name: shown }: TagNames): Json {
  const href = `${profileUrl(app, username)}/tagged/${encodeURIComponent(name)}`;
  return { type: 'Hashtag', href, name: `#${shown}` };
}
