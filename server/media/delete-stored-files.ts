import type { App } from '../platform/app.ts';

/**
 * Deletes stored files that nothing refers to any more. Call it after the commit that removed the reference. Ignores
 * null keys and files that are already deleted. A file that cannot be deleted is logged and stays.
 */
export async function deleteStoredFiles(app: App, keys: readonly (string | null | undefined)[]): Promise<void> {
  const removed = new Set(keys.filter((key) => key !== null && key !== undefined));
  await Promise.all(
    Array.from(removed, (key) =>
      app.storage.delete(key).catch((error: unknown) => app.log.warn({ err: error, key }, 'a file cannot be removed')),
    ),
  );
}
