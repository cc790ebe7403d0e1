/** What another app shared, until the composer has it. */
export interface Share {
  readonly text: string;
  readonly files: readonly File[];
  /** Whether the files were too large to be kept, so that only the text is there. */
  readonly isTooLarge: boolean;
}

const cacheName = 'shares';
const lifetimeMs = 3_600_000;
/** Of all files of a share. More than servers take; larger ones would fill the storage of the browser. */
const maxBytes = 128 * 1_048_576;
const tooLargeField = 'fieldfare-too-large';

const addressOf = (id: string): string => `/publish?shared=${id}`;

/**
 * Keeps what the system sends when another app shares with this one, in place of what was shared before: also while nobody is
 * signed in. Returns the address that opens the composer with it. Used by the service worker.
 */
export async function storeShare(request: Request): Promise<string> {
  const form = await request.formData();
  const bytes = filesOf(form).reduce((sum, { size }) => sum + size, 0);
  if (bytes > maxBytes) {
    form.delete('files');
    form.set(tooLargeField, 'true');
  }
  await caches.delete(cacheName);
  const address = addressOf(crypto.randomUUID());
  const cache = await caches.open(cacheName);
  await cache.put(address, new Response(form, { headers: { date: new Date().toUTCString() } }));
  return address;
}

/** Returns what was shared; undefined if the composer had it already, or if it was not wanted for an hour. */
export async function findShare(id: string): Promise<Share | undefined> {
  await deleteOldShares();
  const form = await (await caches.match(addressOf(id)))?.formData();
  if (form === undefined) return undefined;
  const parts = ['title', 'text', 'url']
    .flatMap((name) => form.getAll(name))
    .filter((part) => typeof part === 'string');
  return { text: joinShared(parts), files: filesOf(form), isTooLarge: form.has(tooLargeField) };
}

/** Deletes what was shared, once the composer has it. */
export async function deleteShare(id: string): Promise<void> {
  await (await caches.open(cacheName)).delete(addressOf(id));
}

/** Deletes what nobody wanted for an hour. */
export async function deleteOldShares(now = Date.now()): Promise<void> {
  if (!(await caches.has(cacheName))) return;
  const cache = await caches.open(cacheName);
  for (const request of await cache.keys()) {
    const response = await cache.match(request);
    if (isOutdated(response?.headers.get('date') ?? '', now)) await cache.delete(request);
  }
}

const isOutdated = (date: string, now: number): boolean => !(now - Date.parse(date) < lifetimeMs);

/** Joins a title, a text and an address. Many apps repeat one of them in another. */
export const joinShared = (parts: readonly string[]): string =>
  parts
    .map((part) => part.trim())
    .filter((part, index, all) => part !== '' && !all.some((other, at) => isRepeatedIn(part, index, other, at)))
    .join('\n');

const isRepeatedIn = (part: string, index: number, other: string, at: number): boolean =>
  at !== index && other.includes(part) && (other !== part || at < index);

const filesOf = (form: FormData): readonly File[] =>
  form.getAll('files').filter((value): value is File => value instanceof File && value.size > 0);
