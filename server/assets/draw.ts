/**
 * Draws the images in this folder. They are committed; run `node bin/run.mjs server/assets/draw.ts` (or Node 24
 * directly) after changing the drawing.
 */
import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';

const colours = {
  night: '#22304a',
  dusk: '#4c6a92',
  dawn: '#f2b277',
  paper: '#eef2f7',
  head: '#8fa0b8',
  back: '#8a4a35',
  wing: '#6d3727',
  breast: '#f3c98b',
  belly: '#fbf4e8',
  beak: '#f0a11f',
  ink: '#1c2333',
};

/** A fieldfare on 200 by 200, looking to the right. */
const bird = `
  <path d="M24 146 L66 112 L78 132 Z" fill="${colours.wing}"/>
  <path d="M54 130 C56 90 86 70 112 72 C140 70 156 90 154 116 C152 148 120 166 90 158 C68 152 54 142 52 128 Z" fill="${colours.belly}"/>
  <path d="M108 68 C142 66 158 92 154 118 C151 136 138 150 122 156 C132 128 124 96 96 78 Z" fill="${colours.breast}"/>
  <g fill="${colours.ink}" opacity="0.75">
    <path d="M132 98 l6 8 l-9 0 Z"/><path d="M144 112 l5 8 l-9 0 Z"/><path d="M130 116 l5 8 l-9 0 Z"/>
    <path d="M141 128 l5 8 l-9 0 Z"/><path d="M127 134 l5 8 l-9 0 Z"/>
  </g>
  <path d="M44 137 C46 86 80 62 112 66 C124 92 122 122 96 136 C80 144 62 146 46 136 Z" fill="${colours.back}"/>
  <path d="M40 140 C60 112 84 102 108 106 C104 126 88 138 68 142 Z" fill="${colours.wing}"/>
  <circle cx="130" cy="66" r="30" fill="${colours.head}"/>
  <path d="M157 60 L182 68 L156 76 Z" fill="${colours.beak}"/>
  <circle cx="139" cy="60" r="5.5" fill="${colours.ink}"/><circle cx="141" cy="58" r="1.8" fill="#fff"/>
  <path d="M96 158 l-3 18 M112 159 l0 17" stroke="${colours.ink}" stroke-width="4" stroke-linecap="round"/>`;

const sky = `<linearGradient id="sky" x1="0" y1="0" x2="0.35" y2="1">
  <stop offset="0" stop-color="${colours.night}"/><stop offset="0.62" stop-color="${colours.dusk}"/>
  <stop offset="1" stop-color="${colours.dawn}"/></linearGradient>`;

const svg = (width: number, height: number, content: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${sky}</defs>${content}</svg>`,
  );

const icon = (round: number): Buffer =>
  svg(
    512,
    512,
    `<rect width="512" height="512" rx="${round}" fill="url(#sky)"/><g transform="translate(38 34) scale(2.15)">${bird}</g>`,
  );

/** The default avatar: an outline on a plain background. */
const avatar = svg(
  400,
  400,
  `<rect width="400" height="400" fill="#c3cede"/><circle cx="200" cy="156" r="74" fill="${colours.paper}"/>
   <path d="M56 400 C56 300 118 258 200 258 C282 258 344 300 344 400 Z" fill="${colours.paper}"/>`,
);

/** Hills, drawn from waves that lie further and further away. */
const hills = (width: number, height: number, base: number): string =>
  [
    { y: base, colour: '#5b6f8f', opacity: 0.55, shift: 0.1, sign: 1 },
    { y: base + height * 0.1, colour: '#3d5275', opacity: 0.7, shift: 0.5, sign: 1 },
    { y: base + height * 0.2, colour: colours.night, opacity: 0.9, shift: 0.15, sign: -1 },
  ]
    .map(({ y, colour, opacity, shift, sign }) => {
      const rise = sign * height * 0.12;
      const points = [0, 0.25, 0.5, 0.75, 1].map((x, index) => [
        x * width,
        y + (index % 2 === 0 ? rise : -rise) * (0.4 + shift),
      ]);
      const line = points.map(([x = 0, top = 0], index) => {
        const [before = 0, beforeTop = 0] = points[index - 1] ?? [];
        const middle = (before + x) / 2;
        return index === 0 ? `M0 ${top}` : `C${middle} ${beforeTop} ${middle} ${top} ${x} ${top}`;
      });
      return `<path d="${line.join(' ')} L${width} ${height} L0 ${height} Z" fill="${colour}" opacity="${opacity}"/>`;
    })
    .join('');

const header = svg(1500, 500, `<rect width="1500" height="500" fill="url(#sky)"/>${hills(1500, 500, 330)}`);

const thumbnail = svg(
  1200,
  630,
  `<rect width="1200" height="630" fill="url(#sky)"/><circle cx="930" cy="190" r="70" fill="#fff3dc" opacity="0.85"/>
   ${hills(1200, 630, 440)}<g transform="translate(330 82) scale(2.6)">${bird}</g>`,
);

const png = (drawing: Buffer, side?: number): Promise<Buffer> =>
  sharp(drawing, { density: 72 })
    .resize(side, side)
    .png({ compressionLevel: 9, palette: true, quality: 90, dither: 0.6 })
    .toBuffer();

/** An icon file that holds PNG images (every browser of the last decade reads them). */
function ico(images: readonly { side: number; body: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [index, { side, body }] of images.entries()) {
    const entry = 6 + 16 * index;
    head.writeUInt8(side, entry);
    head.writeUInt8(side, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(body.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += body.length;
  }
  return Buffer.concat([head, ...images.map(({ body }) => body)]);
}

const sides = [16, 32, 48];
const icons = await Promise.all(sides.map(async (side) => ({ side, body: await png(icon(112), side) })));
const pictures: Record<string, Buffer> = {
  'icon.svg': icon(112),
  'avatar.png': await png(avatar),
  'header.png': await png(header),
  'thumbnail.png': await png(thumbnail),
  'icon-192.png': await png(icon(112), 192),
  'icon-512.png': await png(icon(112), 512),
  // Phones cut the corners of these two themselves, up to a circle of four fifths, which the bird stays in.
  'icon-maskable-512.png': await png(icon(0), 512),
  'apple-touch-icon.png': await png(icon(0), 180),
  'favicon.ico': ico(icons),
};
for (const [name, body] of Object.entries(pictures)) await writeFile(new URL(name, import.meta.url), body);
