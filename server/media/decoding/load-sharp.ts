import type sharp from 'sharp';

type Sharp = typeof sharp;

let loading: Promise<Sharp> | undefined;

/** The decoders of the formats that people send. All others (SVG, TIFF, PDF, FITS …) stay shut for the whole process. */
const allowedLoaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`);

/**
 * The library that decodes images, loaded when the first image comes: its native part is megabytes that most processes
 * never need.
 */
export function loadSharp(): Promise<Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // No image is worked on twice, so nothing is worth keeping.
    sharp.cache(false);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: allowedLoaders });
    return sharp;
  });
  return loading;
}
