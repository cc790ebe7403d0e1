import { loadSharp } from './load-sharp.ts';
import type { Colours } from './tasks.ts';

/** Red, green, blue, 0 to 255. */
type Colour = readonly [number, number, number];

const sampleSide = 64;
/** Minimum contrast of text (WCAG 2, level AA). */
const minTextContrast = 4.5;
/** Contrast that makes a button distinct from its background. */
const minAccentContrast = 3;

/** The colours of a player for an image: its main one, one for text on it, and its most vivid one. */
export async function extractColours(path: string): Promise<Colours> {
  const sharp = await loadSharp();
  const { data } = await sharp(path)
    .flatten({ background: '#ffffff' })
    .resize(sampleSide, sampleSide, { fit: 'fill' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return chooseColours(palette(data));
}

/** Chooses from colours sorted by how much of the image they cover. */
export function chooseColours(colours: readonly Colour[]): Colours {
  const background = colours[0] ?? [255, 255, 255];
  const extreme: Colour = luminance(background) > 0.179 ? [0, 0, 0] : [255, 255, 255];
  const foreground = colours.find((colour) => contrast(colour, background) >= minTextContrast) ?? extreme;
  const accent = colours
    .filter((colour) => contrast(colour, background) >= minAccentContrast)
    .toSorted((a, b) => vividness(b) - vividness(a))[0];
  return { background: hex(background), foreground: hex(foreground), accent: hex(accent ?? foreground) };
}

/** Returns the mean colours of the cells of a coarse grid over all colours, most frequent first. */
function palette(pixels: Buffer): Colour[] {
  const cells = new Map<number, [number, number, number, number]>();
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
    const key = ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5);
    const cell = cells.get(key) ?? [0, 0, 0, 0];
    cells.set(key, [cell[0] + red, cell[1] + green, cell[2] + blue, cell[3] + 1]);
  }
  return [...cells.values()]
    .toSorted((a, b) => b[3] - a[3])
    .map(([red, green, blue, count]): Colour => [red / count, green / count, blue / count]);
}

function luminance([red, green, blue]: Colour): number {
  const linear = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const vividness = (colour: Colour): number => Math.max(...colour) - Math.min(...colour);

const hex = (colour: Colour): string =>
  `#${colour.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
