import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import sharp from 'sharp';
import { createHttp } from '../server/app.ts';
import type { App } from '../server/platform/app.ts';
import { usageOf } from './cpu.ts';
import type { Server } from './measure.ts';
import type { Player } from './scene.ts';

/** What an upload of one kind of picture costs. */
export interface UploadCost {
  readonly name: string;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Of the server and its decoding process, for one upload, in milliseconds; and what it may be. */
  readonly cpu: number;
  readonly most: number;
  /** Milliseconds that the event loop of the server stood still, at the longest. */
  readonly block: number;
}

const rounds = 5;
/** Milliseconds between two looks of the event loop's clock. */
const resolution = 2;
const most = 600;

/**
 * Uploads pictures of 12 megapixels, each kind by itself and one at a time: to the running server, whose CPU time counts
 * with that of its decoding process, and to a server of this process, whose event loop is watched.
 */
export async function measureUploads(app: App, target: Server, author: Player): Promise<UploadCost[]> {
  const http = createHttp(app);
  await http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = http.server.address() as AddressInfo;
  const own = `http://127.0.0.1:${port}`;
  const costs: UploadCost[] = [];
  try {
    for (const [name, file] of await pictures()) {
      const cpu = await cpuOf(target, author, file);
      costs.push({ name, bytes: file.length, cpu, most, block: await blockOf(own, author, file) });
    }
  } finally {
    http.server.closeAllConnections();
    await http.close();
  }
  return costs;
}

async function cpuOf({ origin, roots }: Server, author: Player, file: Buffer): Promise<number> {
  await upload(origin, author, file);
  const before = usageOf(...roots).node;
  for (let round = 0; round < rounds; round += 1) await upload(origin, author, file);
  return (usageOf(...roots).node - before) / rounds;
}

async function blockOf(origin: string, author: Player, file: Buffer): Promise<number> {
  await upload(origin, author, file);
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  for (let round = 0; round < rounds; round += 1) await upload(origin, author, file);
  delays.disable();
  return Math.max(0, delays.max / 1e6 - resolution);
}

async function upload(origin: string, { token }: Player, file: Buffer): Promise<void> {
  const body = new FormData();
  body.append('file', new Blob([Uint8Array.from(file)]), 'picture');
  const answer = await fetch(`${origin}/api/v2/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  if (answer.status !== 200) throw new Error(`an upload answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Something as rich as a photograph, the same each time. */
async function pictures(): Promise<[string, Buffer][]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const grain = sharp({ create: { width: 1_000, height: 750, channels: 3, background: '#888888', noise } });
  const photo = await sharp(await grain.png().toBuffer())
    .resize(4_000, 3_000, { kernel: 'cubic' })
    .blur(1.5)
    .png()
    .toBuffer();
  // A photograph of this size is too large a file as PNG: few colours make it a drawing.
  const drawing = await sharp(photo).png({ palette: true, colours: 64, dither: 0, effort: 1 }).toBuffer();
  return [
    ['JPEG', await sharp(photo).jpeg({ quality: 90 }).toBuffer()],
    ['PNG', drawing],
    ['WebP', await sharp(photo).webp({ quality: 85 }).toBuffer()],
    ['AVIF', await sharp(photo).avif({ quality: 60, effort: 0 }).toBuffer()],
  ];
}
