import type { App } from '../platform/app.ts';

/**
 * Removes stored files that nothing refers to any more; call it after the commit that let go of them. Keys that are
 * null are passed over, those already gone too. A file that cannot be removed is logged and stays.
 */
export async function deleteStoredFiles(app: App, keys: readonly (string | null | undefined)[]): Promise<void> {
  const removed = new Set(keys.filter((key) => key !== null && key !== undefined));
  await Promise.all(
    Array.from(removed, (key) =>
      app.storage.delete(key).catch((error: unknown) => app.log.warn({ err: error, key }, 'a file cannot be removed')),
    ),
  );
}
