import type { App } from '../../platform/app.ts';
import { findSiteImage, toUrls } from './site-images.ts';

/** URLs of the icon of the site, in the sizes that pages show. */
export interface PageIcons {
  readonly favicon: string;
  /** On home screens of iOS. */
  readonly touch: string;
  /** Beside the title of the site. */
  readonly header: string;
  /** 512 by 512, which phones cut to a circle. None if staff chose the icon, which may lose its corners then. */
  readonly maskable?: string;
}

export const bundledPageIcons: PageIcons = {
  favicon: '/favicon.ico',
  touch: '/apple-touch-icon.png',
  header: '/icon-192.png',
  maskable: '/icon-maskable-512.png',
};

/** Returns the icons for pages. */
export async function loadPageIcons(app: App): Promise<PageIcons> {
  const image = await findSiteImage(app, 'icon');
  if (image === undefined) return bundledPageIcons;
  const { '48x48': favicon = '', '192x192': touch = '', '96x96': header = '' } = toUrls(app, image.files);
  return { favicon, touch, header };
}
