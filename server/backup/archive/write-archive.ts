import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createTarPacker } from 'modern-tar';
import { BackupError } from '../backup-error.ts';
import { appendDigest } from './digest.ts';
import { encrypt } from './encryption.ts';
import { toError } from '../../platform/errors.ts';

/** Adds files to an archive, one after the other. */
export interface ArchiveWriter {
  /** Adds a file. `size` must be the number of bytes in `content`. */
  add(name: string, size: number, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
}

/**
 * Writes an archive with what `write` adds, encrypted if there is a passphrase. It has its name only when it is
 * complete and on the disk; if anything fails, nothing is left. Throws BackupError if the file exists.
 */
export async function writeArchive(
  path: string,
  { passphrase, signal }: { readonly passphrase: string | undefined; readonly signal: AbortSignal },
  write: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const file = await open(unfinished, 'wx', 0o600).catch((error: unknown) => {
    throw openError(error, unfinished);
  });
  try {
    const { readable, controller } = createTarPacker();
    const tar = appendDigest(Readable.fromWeb(readable));
    const sealed = passphrase === undefined ? tar : encrypt(tar, passphrase);
    const piped = pipeline(sealed, file.createWriteStream({ flush: true }), { signal });
    const added = write(createWriter(controller)).then(controller.finalize, (error: unknown) => {
      controller.error(error);
      throw error;
    });
    const [output, input] = await Promise.allSettled([piped, added]);
    // If the file cannot be written, that is the cause; the entries fail after it.
    if (output.status === 'rejected') throw writeError(output.reason, path);
    if (input.status === 'rejected') throw input.reason;
    await rename(unfinished, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await file.close().catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
}

type Controller = ReturnType<typeof createTarPacker>['controller'];

function createWriter(controller: Controller): ArchiveWriter {
  return {
    async add(name, size, content) {
      const entry = controller.add({ name, size, type: 'file', mode: 0o600 }).getWriter();
      for await (const chunk of content) await entry.write(chunk);
      await entry.close();
    },
  };
}

/** A renamed file survives a crash only when its folder is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

function openError(error: unknown, path: string): unknown {
  const { code, message } = toError(error);
  if (code === 'EEXIST')
    return new BackupError(
      `${path} exists: another backup is being written to it, or was killed. If none runs, delete the file.`,
    );
  return code === undefined ? error : new BackupError(`${path} cannot be written (${message}).`);
}

function writeError(error: unknown, path: string): unknown {
  const { code, syscall, message } = toError(error);
  return syscall === 'write' || code === 'ENOSPC'
    ? new BackupError(`${path} cannot be written (${message}). Nothing was kept.`)
    : error;
}
