import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { App } from '../app.ts';
import { UploadedFile } from './parse-params.ts';

/**
 * The temporary files of one request, in DATA_DIR/tmp. `discard` deletes them; it runs when the request ends, however
 * it ends.
 */
export class Uploads {
  readonly #app: App;
  readonly #paths: string[] = [];

  constructor(app: App) {
    this.#app = app;
  }

  get isEmpty(): boolean {
    return this.#paths.length === 0;
  }

  /** Stores the bytes of a `data:` URI. */
  async store(body: Buffer, contentType: string): Promise<UploadedFile> {
    const path = await this.#write((file) => file.writeFile(body));
    return new UploadedFile({ path, size: body.length, filename: 'upload', contentType });
  }

  /** Stores a stream and returns the path and the number of bytes. Once `signal` aborts, it rejects with the file closed. */
  async storeStream(stream: Readable, signal: AbortSignal): Promise<{ path: string; size: number }> {
    let size = 0;
    const path = await this.#write((file) =>
      pipeline(
        stream,
        async (chunks: AsyncIterable<Buffer>) => {
          for await (const chunk of chunks) {
            size += chunk.length;
            await file.writeFile(chunk);
          }
        },
        { signal },
      ),
    );
    return { path, size };
  }

  async deleteAll(): Promise<void> {
    await Promise.all(this.#paths.map((path) => rm(path, { force: true })));
  }

  async #write(fill: (file: FileHandle) => Promise<void>): Promise<string> {
    const folder = join(this.#app.config.dataDir, 'tmp');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, randomUUID());
    this.#paths.push(path);
    const file = await open(path, 'w', 0o600);
    try {
      await fill(file);
    } finally {
      // Waits for writes that are under way, so that nothing creates or holds the file after `discard`.
      await file.close();
    }
    return path;
  }
}
