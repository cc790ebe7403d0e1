import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { fileSchema } from '../../platform/http/parse-params.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { del, get, put, type Route } from '../../platform/http/routes.ts';
import type { SiteImageName } from '../tables.ts';
import { resetSiteImage, setSiteImage } from './change-site-images.ts';
import { SiteImage } from './schema.ts';
import { findSiteImage, loadIcons, loadThumbnail } from './site-images.ts';

const names: readonly SiteImageName[] = ['thumbnail', 'icon'];
const access = 'staff:manage_settings';
const params = Type.Object({ name: Type.String() });
/** An image of 16 MB, base64-encoded at worst. */
const bodyLimit = 24 * 1_048_576;

/** Mastodon has no API for the images of the site. */
export const siteImageRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/site_images', {
    summary: 'List the thumbnail and the icon of the site',
    access,
    scope: 'admin:read',
    response: Type.Array(SiteImage),
    handle: ({ app }) => Promise.all(names.map((name) => presentImage(app, name))),
  }),
  put('/api/v1/fieldfare/admin/site_images/:name', {
    summary: 'Replace the thumbnail or the icon of the site',
    access,
    scope: 'admin:write',
    params,
    input: Type.Object({ image: fileSchema(), description: Type.Optional(Type.String()) }),
    bodyLimit,
    allowSlowBody: true,
    response: SiteImage,
    async handle({ app, viewer, params: { name: written }, input: { image, description } }) {
      const name = parseName(written);
      await setSiteImage(app, viewer.accountId, name, { path: image.path, description });
      return presentImage(app, name);
    },
  }),
  del('/api/v1/fieldfare/admin/site_images/:name', {
    summary: 'Return to the bundled image; 404 if it is in use',
    access,
    scope: 'admin:write',
    params,
    response: SiteImage,
    async handle({ app, viewer, params: { name: written } }) {
      const name = parseName(written);
      await resetSiteImage(app, viewer.accountId, name);
      return presentImage(app, name);
    },
  }),
];

function parseName(written: string): SiteImageName {
  const name = names.find((each) => each === written);
  if (name === undefined) throw notFound();
  return name;
}

async function presentImage(app: App, name: SiteImageName): Promise<SiteImage> {
  const stored = await findSiteImage(app, name);
  if (name === 'icon') {
    const versions = Object.fromEntries((await loadIcons(app)).map(({ size, src }) => [size, src]));
    return { name, bundled: stored === undefined, description: stored?.description || null, versions };
  }
  const { versions, description } = await loadThumbnail(app);
  return { name, bundled: stored === undefined, description, versions };
}
