import type sharp from 'sharp';

type Sharp = typeof sharp;

let loading: Promise<Sharp> | undefined;

/** The decoders of supported formats. All others (SVG, TIFF, PDF, FITS …) are disabled for the whole process. */
const allowedLoaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`);

/** The image library, loaded with the first image: its native part takes megabytes that most processes never need. */
export function loadSharp(): Promise<Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // No image is processed twice, so a cache has no use.
    sharp.cache(false);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: allowedLoaders });
    return sharp;
  });
  return loading;
}
