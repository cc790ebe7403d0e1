import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { createHttp } from '../server/app.ts';
import type { App } from '../server/platform/app.ts';
import { measureUsage } from './cpu.ts';
import type { MeasuredServer } from './measure.ts';
import type { BenchmarkUser } from './scene.ts';

/** The cost of an upload of one kind of image. */
export interface UploadCost {
  readonly name: string;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Of the server and its decoding process, for one upload, in milliseconds; and what it may be. */
  readonly cpuMs: number;
  readonly maxCpuMs: number | undefined;
  /** The longest turn of the server's event loop, in milliseconds of its own work. */
  readonly maxTurnMs: number;
  /** The longest that its event loop stood still, in milliseconds by the clock: also while others had the core. */
  readonly maxDelayMs: number;
}

const rounds = 5;
/** Milliseconds between two looks of the event loop's clock. */
const samplingIntervalMs = 2;
/** Of CPU, for what every camera and screen makes. */
const defaultMaxCpuMs = 600;

/**
 * Uploads images of 12 megapixels, each kind separately and one at a time: to the running server, whose CPU time counts
 * with that of its decoding process, and to a server in this process, whose event loop is measured.
 */
export async function measureUploads(app: App, target: MeasuredServer, author: BenchmarkUser): Promise<UploadCost[]> {
  const http = createHttp(app);
  await http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = http.server.address() as AddressInfo;
  const own = `http://127.0.0.1:${port}`;
  const costs: UploadCost[] = [];
  try {
    for (const { name, file, maxCpuMs } of await createSampleImages()) {
      const cpu = await measureCpuMs(target, author, file);
      costs.push({
        name,
        bytes: file.length,
        cpuMs: cpu,
        maxCpuMs,
        ...(await measureEventLoop(own, author, file)),
      });
    }
  } finally {
    http.server.closeAllConnections();
    await http.close();
  }
  return costs;
}

async function measureCpuMs(
  { origin, processIds }: MeasuredServer,
  author: BenchmarkUser,
  file: Buffer,
): Promise<number> {
  await upload(origin, author, { file, times: 1 });
  const before = measureUsage(...processIds).nodeMs;
  await upload(origin, author, { file, times: rounds });
  return (measureUsage(...processIds).nodeMs - before) / rounds;
}

/** As `monitorEventLoopDelay` looks at turns, but with the time that the thread itself worked. */
async function measureEventLoop(
  origin: string,
  author: BenchmarkUser,
  file: Buffer,
): Promise<{ maxTurnMs: number; maxDelayMs: number }> {
  await upload(origin, author, { file, times: 1 });
  let [busy, late] = [0, 0];
  let [cpu, clock] = [threadCpuMs(), performance.now()];
  const watch = setInterval(() => {
    busy = Math.max(busy, threadCpuMs() - cpu);
    late = Math.max(late, performance.now() - clock - samplingIntervalMs);
    [cpu, clock] = [threadCpuMs(), performance.now()];
  }, samplingIntervalMs);
  await upload(origin, author, { file, times: rounds });
  clearInterval(watch);
  return { maxTurnMs: busy, maxDelayMs: late };
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
}

/** Uploads a file from a separate thread, so that sending does not block the measured event loop. */
async function upload(origin: string, { token }: BenchmarkUser, what: { file: Buffer; times: number }): Promise<void> {
  const worker = new Worker(new URL('upload-files.ts', import.meta.url), { workerData: { origin, token, ...what } });
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}

interface SampleImage {
  readonly name: string;
  readonly file: Buffer;
  readonly maxCpuMs: number | undefined;
}

/** Each as rich as a photograph but for the screenshot; the same each time. */
async function createSampleImages(): Promise<SampleImage[]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const grain = sharp({ create: { width: 1_000, height: 750, channels: 3, background: '#888888', noise } });
  const photo = await sharp(await grain.png().toBuffer())
    .resize(4_000, 3_000, { kernel: 'cubic' })
    .blur(1.5)
    .png()
    .toBuffer();
  // In all its colours such a photograph is too large a file as PNG.
  const fewColours = await sharp(photo).png({ palette: true, colours: 64, dither: 0, effort: 1 }).toBuffer();
  const most = defaultMaxCpuMs;
  return [
    { name: 'JPEG', file: await sharp(photo).jpeg({ quality: 90 }).toBuffer(), maxCpuMs: most },
    { name: 'PNG, a screenshot', file: await screenshot(), maxCpuMs: most },
    { name: 'PNG, a photograph in 64 colours', file: fewColours, maxCpuMs: most },
    { name: 'WebP', file: await sharp(photo).webp({ quality: 85 }).toBuffer(), maxCpuMs: most },
    { name: 'AVIF', file: await sharp(photo).avif({ quality: 60, effort: 0 }).toBuffer(), maxCpuMs: undefined },
  ];
}

/** An image like a screenshot: windows with lines of text. */
function screenshot(): Promise<Buffer> {
  const letters = 'The quick brown fox jumps over the lazy dog and does not come back before the evening. ';
  const lines = Array.from({ length: 140 }, (_, line) => {
    const text = (letters.slice(line % 40) + letters.repeat(3)).slice(0, 90 + (line % 7) * 15);
    return `<text x="${40 + (line % 5) * 60}" y="${30 + line * 21}" font-size="18" fill="#${line % 3 === 0 ? '225' : '222'}">${text}</text>`;
  });
  const windows = `<rect width="4000" height="3000" fill="#eef"/><rect x="20" y="10" width="2600" height="2960" fill="#fff"/><rect x="2700" y="60" width="1200" height="900" fill="#345"/>`;
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="3000">${windows}${lines.join('')}</svg>`),
  )
    .png()
    .toBuffer();
}
