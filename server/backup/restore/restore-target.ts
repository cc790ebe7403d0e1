import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../platform/config.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { isKeyFile } from '../archive/entries.ts';
import { BackupError } from '../backup-error.ts';
import { deleteAllMedia } from './media-store.ts';

/** Files in DATA_DIR/secrets: the settings of a backup, and the mark of a restore that has not ended. */
const settingsFile = 'restored.env';
const unfinishedFile = 'restore.unfinished';

/** The files of an instance that is being restored: media, keys, settings. */
export class RestoreTarget {
  readonly #storage: Storage;
  readonly #secrets: string;

  constructor(config: Config, storage: Storage) {
    this.#storage = storage;
    this.#secrets = join(config.dataDir, 'secrets');
  }

  /** Path of the settings of the backup. */
  get settingsPath(): string {
    return join(this.#secrets, settingsFile);
  }

  get #mark(): string {
    return join(this.#secrets, unfinishedFile);
  }

  /** Throws BackupError if there are media or keys, unless a restore that was killed left them. */
  async assertEmpty(): Promise<void> {
    if (existsSync(this.#mark)) return;
    const { files } = await this.#storage.list('', { limit: 1_000 });
    const keys = (await readdir(this.#secrets).catch(() => [])).filter(isKeyFile);
    if (files.length > 0 || keys.length > 0 || existsSync(this.settingsPath))
      throw new BackupError(
        `There are ${files.length > 0 ? 'media' : 'keys or settings in DATA_DIR/secrets'} already. ` +
          'Restore into a new DATA_DIR, with an empty bucket if media are in one.',
      );
  }

  /** Marks the files as those of an unfinished restore, which the next one may replace. */
  async begin(): Promise<void> {
    await mkdir(this.#secrets, { recursive: true, mode: 0o700 });
    await writeFile(this.#mark, '', { mode: 0o600, flush: true });
  }

  async writeKey(fileName: string, content: Buffer): Promise<void> {
    await writeFile(join(this.#secrets, fileName), content, { mode: 0o600, flush: true });
  }

  async writeSettings(text: string): Promise<void> {
    await writeFile(this.settingsPath, text, { mode: 0o600, flush: true });
  }

  /** Ends a restore that succeeded. */
  async complete(): Promise<void> {
    await rm(this.#mark, { force: true });
  }

  /** Deletes what was restored. */
  async undo(): Promise<void> {
    await deleteAllMedia(this.#storage);
    const keys = (await readdir(this.#secrets).catch(() => [])).filter(isKeyFile);
    for (const name of [...keys, settingsFile, unfinishedFile]) await rm(join(this.#secrets, name), { force: true });
  }
}
