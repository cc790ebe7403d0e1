import { open, type FileHandle } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { createTarDecoder } from 'modern-tar';
import { BackupError, damaged } from '../backup-error.ts';
import { checkDigest } from './digest.ts';
import { decrypt, encryptionHeaderBytes, isEncrypted } from './encryption.ts';
import { classifyEntry, entryNames, type EntryKind } from './entries.ts';
import type { Bytes } from './split-stream.ts';
import { toError } from '../../platform/errors.ts';

/** An entry of a backup. Its content must be read before the next entry. */
export type ArchiveEntry = EntryKind & {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
};

export interface ReadOptions {
  readonly passphrase: string | undefined;
  /** Receives the share of the file that was read. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Yields the entries of a backup as they are read. Throws BackupError if the file is not a backup, the passphrase is
 * wrong, or any byte was changed or is missing: that may be only after the last entry.
 */
export async function* readArchive(path: string, options: ReadOptions): AsyncGenerator<ArchiveEntry> {
  const file = await open(path, 'r').catch((error: Error) => {
    throw new BackupError(`${path} cannot be read (${error.message}).`);
  });
  const tar = await openTar(file, path, options).catch(close);
  const decoded = ReadableStream.from(tar).pipeThrough(createTarDecoder({ strict: true }));
  const entries = decoded.values();
  try {
    for (let next = await nextEntry(entries); next !== undefined; next = await nextEntry(entries)) yield next;
  } finally {
    // Fails if reading failed.
    await Promise.allSettled([entries.return?.()]);
    await file.close();
  }

  async function close(error: unknown): Promise<never> {
    await file.close();
    throw error;
  }
}

type TarEntries = AsyncIterator<{
  readonly header: { name: string; size: number; type?: string };
  readonly body: AsyncIterable<Uint8Array>;
}>;

async function nextEntry(entries: TarEntries): Promise<ArchiveEntry | undefined> {
  const next = await entries.next().catch((error: unknown) => {
    throw readError(error);
  });
  if (next.done === true) return undefined;
  const { header, body } = next.value;
  return { ...classifyEntry(header), name: header.name, size: header.size, content: translateErrors(body) };
}

async function* translateErrors(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw readError(error);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** The decoder throws plain errors for invalid archives, and passes on those of the file. */
function readError(error: unknown): unknown {
  if (error instanceof BackupError) return error;
  const { code, message } = toError(error);
  return code?.startsWith('E') === true && !code.startsWith('ERR_')
    ? new BackupError(`The backup cannot be read (${message}).`)
    : damaged(message.replace(/\.$/, ''));
}

/** Reads the start of the file, and returns the tar archive in it. */
async function openTar(file: FileHandle, path: string, options: ReadOptions): Promise<Bytes> {
  const { passphrase, onProgress = () => {} } = options;
  const { size } = await file.stat();
  const { buffer: start, bytesRead } = await file.read(
    Buffer.alloc(encryptionHeaderBytes),
    0,
    encryptionHeaderBytes,
    0,
  );
  if (isEncrypted(start)) {
    if (bytesRead < encryptionHeaderBytes) throw damaged('it has no content');
    if (passphrase === undefined) throw new BackupError('This backup is encrypted: it needs --passphrase-file.');
    return checkDigest(decrypt(readFrom(file, encryptionHeaderBytes, size, onProgress), start, passphrase));
  }
  if (!start.toString('latin1').startsWith(`${entryNames.manifest}\0`))
    throw new BackupError(`${path} is not a backup of Fieldfare.`);
  if (passphrase !== undefined) throw new BackupError('This backup is not encrypted: omit --passphrase-file.');
  return checkDigest(readFrom(file, 0, size, onProgress));
}

async function* readFrom(
  file: FileHandle,
  start: number,
  size: number,
  onProgress: (share: number) => void,
): AsyncGenerator<Buffer> {
  let position = start;
  const stream: AsyncIterable<Buffer> = file.createReadStream({ start, highWaterMark: 1024 ** 2, autoClose: false });
  for await (const chunk of stream) {
    position += chunk.length;
    onProgress(position / size);
    yield chunk;
  }
}

/** Reads an entry whose size `classifyEntry` limits. */
export const readText = async ({ content }: ArchiveEntry): Promise<string> => (await buffer(content)).toString();
