import { actorUrls } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { Json } from './values.ts';

/** A hashtag on a local profile; its address is that of the profile's posts with it. */
export function featuredHashtag(
  app: App,
  username: string,
  { name, display_name: shown }: { readonly name: string; readonly display_name: string },
): Json {
  const href = `${actorUrls(app, username).url}/tagged/${encodeURIComponent(name)}`;
  return { type: 'Hashtag', href, name: `#${shown}` };
}
