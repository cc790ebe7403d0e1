import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createTarPacker } from 'modern-tar';
import type { AccountRow } from '../../accounts/find/index.ts';
import { archiveActivities, archiveActor, archiveContext } from '../../federation/index.ts';
import type { App } from '../../platform/app.ts';
import { findIdentities, findWebSettings, listMarkedUris, listMediaKeys, listPostIds } from './list-archived.ts';
import { writeCollection } from './write-collection.ts';

interface Work {
  /** An empty folder for temporary files. */
  readonly folder: string;
  /** Ends the work between two batches or files. */
  readonly signal: AbortSignal;
  readonly onProgress: (posts: number) => Promise<void>;
}

/** Adds a file to the archive; `size` is the number of its bytes. */
type Add = (name: string, size: number, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => Promise<void>;

/**
 * Writes the archive of an account to a file in the folder, and returns its path and size. Memory holds one batch of
 * posts, or a part of one file. Files that are missing in the storage are named in missing_files.json.
 */
export async function writeArchiveFile(
  app: App,
  account: AccountRow,
  work: Work,
): Promise<{ path: string; size: number }> {
  const path = join(work.folder, 'archive.tgz');
  const { readable, controller } = createTarPacker();
  const written = pipeline(Readable.fromWeb(readable), createGzip(), createWriteStream(path, { mode: 0o600 }));
  const add: Add = async (name, size, content) => {
    const entry = controller.add({ name, size, type: 'file', mode: 0o600 }).getWriter();
    for await (const chunk of content) await entry.write(chunk);
    await entry.close();
  };
  const added = addEverything(app, account, work, add).then(controller.finalize, (error: unknown) => {
    controller.error(error);
    throw error;
  });
  const [output, input] = await Promise.allSettled([written, added]);
  // If the file cannot be written, that is the cause; the entries fail after it.
  if (output.status === 'rejected') throw output.reason;
  if (input.status === 'rejected') throw input.reason;
  return { path, size: (await stat(path)).size };
}

async function addEverything(app: App, account: AccountRow, work: Work, add: Add): Promise<void> {
  const missing: string[] = [];
  const addStored = async (name: string, key: string | null) => {
    if (key === null) return;
    work.signal.throwIfAborted();
    const file = await app.storage.openStream(key);
    if (file === undefined) missing.push(name);
    else await add(name, file.size, file.stream);
  };
  const { actor, outbox } = await archiveActor(app, account);
  const avatar = fileName('avatar', account.avatar_key);
  const header = fileName('header', account.header_key);
  await addJson(add, 'actor.json', {
    ...actor,
    ...(avatar !== null && { icon: { ...(actor['icon'] as object), url: avatar } }),
    ...(header !== null && { image: { ...(actor['image'] as object), url: header } }),
    outbox: 'outbox.json',
    likes: 'likes.json',
    bookmarks: 'bookmarks.json',
  });
  const addCollection = async (name: string, id: string, batches: AsyncIterable<readonly unknown[]>) => {
    const path = join(work.folder, name);
    await writeCollection(path, { id, context: archiveContext }, batches);
    await add(name, (await stat(path)).size, createReadStream(path));
    await rm(path);
  };
  await addCollection('outbox.json', outbox, listActivities(app, account, work));
  await addCollection('likes.json', 'likes.json', listMarkedUris(app, account.id, 'favourites'));
  await addCollection('bookmarks.json', 'bookmarks.json', listMarkedUris(app, account.id, 'bookmarks'));
  const settings = await findWebSettings(app, account.id);
  if (settings !== undefined) await addText(add, 'web_settings.json', settings);
  const identities = await findIdentities(app, account.id);
  if (identities.length > 0) await addJson(add, 'linked_sign_ins.json', identities);
  if (avatar !== null) await addStored(avatar, account.avatar_key);
  if (header !== null) await addStored(header, account.header_key);
  for await (const keys of listMediaKeys(app, account.id))
    for (const key of keys) await addStored(`media_attachments/${key}`, key);
  if (missing.length > 0) await addJson(add, 'missing_files.json', missing);
}

const fileName = (name: string, key: string | null): string | null =>
  key === null ? null : `${name}${key.slice(key.lastIndexOf('.'))}`;

const addJson = (add: Add, name: string, value: unknown): Promise<void> => addText(add, name, JSON.stringify(value));

async function addText(add: Add, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await add(name, bytes.length, [bytes]);
}

async function* listActivities(app: App, { id }: AccountRow, { signal, onProgress }: Work) {
  let posts = 0;
  for await (const ids of listPostIds(app, id)) {
    signal.throwIfAborted();
    const activities = await archiveActivities(app, ids);
    yield activities.map((activity) => withRelativeFiles(app, activity));
    posts += activities.length;
    await onProgress(posts);
  }
}

/** Replaces the addresses of stored attachments by their paths in the archive. */
function withRelativeFiles(app: App, activity: Readonly<Record<string, unknown>>) {
  const object = activity['object'];
  if (typeof object !== 'object' || object === null || !('attachment' in object)) return activity;
  const stored = app.storage.url('');
  const attachment = (object.attachment as readonly { url?: unknown }[]).map((file) =>
    typeof file.url === 'string' && file.url.startsWith(stored)
      ? { ...file, url: `media_attachments/${file.url.slice(stored.length)}` }
      : file,
  );
  return { ...activity, object: { ...object, attachment } };
}
