import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evictAll } from '../../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { siteSettingsChanged } from '../../site/index.ts';
import type { Instance } from '../schema.ts';
import type { SiteImageName } from '../tables.ts';

interface Row {
  readonly name: SiteImageName;
  readonly files: Record<string, string>;
  readonly blurhash: string;
  readonly description: string;
}

const storedImages = preparedQuery<Row>()((db) =>
  db.selectFrom('site_images').select(['name', 'files', 'blurhash', 'description']),
);

export const imagesCache = new LoadingCache<'images', readonly Row[]>({
  name: 'instance.site_images',
  maxSize: 1,
  ttlMs: 60_000,
  load: (app) => storedImages(app, {}),
  evictOn: [evictAll(siteSettingsChanged)],
});

/** Returns an image that staff chose; undefined if the bundled one is used. */
export const findSiteImage = async (app: App, name: SiteImageName): Promise<Row | undefined> =>
  (await imagesCache.get(app, 'images')).find((image) => image.name === name);

/** The blurhash of server/assets/thumbnail.png, which a test compares. */
export const bundledBlurhash = 'U8BgJW0N9c%hE.Vqt5%000=?-QVs~AT1NKEN';

/** Returns the image that stands for the site in lists of servers and previews of links. */
export async function loadThumbnail(app: App): Promise<Instance['thumbnail']> {
  const image = await findSiteImage(app, 'thumbnail');
  if (image === undefined) {
    const url = `${app.config.baseUrl}/thumbnail.png`;
    const description = 'A fieldfare, the bird, on a branch';
    return { url, blurhash: bundledBlurhash, versions: { '@1x': url }, description };
  }
  const { blurhash, description } = image;
  const versions = toUrls(app, image.files);
  return {
    url: versions['@1x'] ?? '',
    blurhash,
    versions,
    description: description === '' ? null : description,
  };
}

/** Returns the icons of the site, from small to large. */
export async function loadIcons(app: App): Promise<Instance['icon']> {
  const image = await findSiteImage(app, 'icon');
  const urls =
    image === undefined
      ? Object.fromEntries([192, 512].map((side) => [`${side}x${side}`, `${app.config.baseUrl}/icon-${side}.png`]))
      : toUrls(app, image.files);
  return Object.entries(urls)
    .map(([size, src]) => ({ src, size }))
    .toSorted((one, other) => Number.parseInt(one.size, 10) - Number.parseInt(other.size, 10));
}

/** Returns the URLs of the versions of an image. */
export const toUrls = ({ storage }: App, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([version, key]) => [version, storage.url(key)]));
