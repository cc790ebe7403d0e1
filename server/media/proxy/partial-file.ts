import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../platform/app.ts';

/** Bytes at the start of a file that show its type. */
const headBytes = 4_100;

/** A file in DATA_DIR/tmp that grows while it is fetched. It is created with the first byte; call `discard` in any case. */
export class PartialFile {
  readonly path: string;
  readonly #folder: string;
  #file: FileHandle | undefined;
  #size = 0;
  #head: Buffer = Buffer.alloc(0);

  constructor(app: App) {
    this.#folder = join(app.config.dataDir, 'tmp');
    this.path = join(this.#folder, randomUUID());
  }

  /** Bytes. */
  get size(): number {
    return this.#size;
  }

  /** The first bytes, as far as they show the type of the file. */
  get head(): Buffer {
    return this.#head;
  }

  /** Whether more bytes would not show more of the type. */
  get isHeadComplete(): boolean {
    return this.#head.length >= headBytes;
  }

  async append(chunk: Buffer): Promise<void> {
    this.#file ??= await this.#create();
    if (!this.isHeadComplete) this.#head = Buffer.concat([this.#head, chunk.subarray(0, headBytes)]);
    this.#size += chunk.length;
    await this.#file.writeFile(chunk);
  }

  /** Closes the file and deletes it. */
  async delete(): Promise<void> {
    if (this.#file === undefined) return;
    await this.#file.close();
    await rm(this.path, { force: true });
  }

  async #create(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return open(this.path, 'wx', 0o600);
  }
}
