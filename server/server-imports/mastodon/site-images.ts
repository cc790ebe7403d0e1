import { fileKey, withExtension } from './site-address.ts';
import { parseScalar } from './settings.ts';
import type { TableImport } from '../table-import.ts';

/** Sides of the icon in pixels, of those that Mastodon stores. */
const iconSides = [36, 48, 72, 96, 144, 192, 256, 384, 512];

/** SQL of the storage keys of a version of an image. All are PNG. */
const key = (style: string): string =>
  fileKey('site_uploads/files', 's.id', style, `(${withExtension('s.file_file_name', 'png')})`);

const files = (versions: readonly (readonly [name: string, style: string])[]): string =>
  `jsonb_build_object(${versions.map(([name, style]) => `'${name}', ${key(style)}`).join(', ')})`;

/** The thumbnail and the icon of the site. */
export const siteImageTable: TableImport = {
  name: 'images of the site',
  from: 'site_uploads',
  into: 'site_images',
  leftOut: {
    'mascots, which Fieldfare does not have': `s.var = 'mascot'`,
    'favicons, which are made from the icon of the app': `s.var = 'favicon'`,
    'of other kinds, or without a file': `s.var not in ('thumbnail', 'app_icon', 'mascot', 'favicon') or s.file_file_name is null`,
  },
  replaces: true,
  targetKey: undefined,
  conflictKey: ['name'],
  columns: {
    name: `case s.var when 'app_icon' then 'icon' else s.var end`,
    files: `case s.var when 'app_icon' then ${files(iconSides.map((side) => [`${side}x${side}`, String(side)]))}
      else ${files([
        ['@1x', '@1x'],
        ['@2x', '@2x'],
      ])} end`,
    blurhash: `coalesce(s.blurhash, '')`,
    description: `''`,
    updated_at: 's.updated_at',
  },
  helpers: {
    text: `case when s.var = 'thumbnail' then (select value from settings where var = 'thumbnail_description' limit 1) end`,
  },
  prepare: ({ text, ...row }) => ({ ...row, description: typeof text === 'string' ? parseScalar(text) : '' }),
};
