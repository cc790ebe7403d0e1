import type { App } from '../../platform/app.ts';

/** Attachments of posts, images of profiles, custom emojis, images of the site, and downloads of the data of accounts. */
const storageFolders = ['attachments', 'accounts/avatars', 'accounts/headers', 'emojis', 'site', 'archives'] as const;

/** Files per page of the listing. */
const pageSize = 1_000;

/** The files of a folder. */
export interface StorageUsage {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
}

/** Measures the stored files by folder, on disk or in the bucket. Reports the number of files after each page. */
export async function measureStorage(
  app: App,
  {
    folders = storageFolders,
    progress,
  }: { readonly folders?: readonly string[]; readonly progress?: (files: number) => void } = {},
): Promise<StorageUsage[]> {
  const usage: StorageUsage[] = [];
  let seen = 0;
  for (const folder of folders) {
    const measured = await measureFolder(app, folder, (files) => progress?.(seen + files));
    seen += measured.files;
    usage.push(measured);
  }
  return usage;
}

async function measureFolder(app: App, folder: string, progress: (files: number) => void): Promise<StorageUsage> {
  let [files, bytes] = [0, 0];
  for (let after: string | undefined, hasMore = true; hasMore;) {
    const page = await app.storage.list(folder, { after, limit: pageSize });
    files += page.files.length;
    bytes += page.files.reduce((sum, file) => sum + file.size, 0);
    progress(files);
    after = page.next;
    hasMore = after !== undefined;
  }
  return { folder, files, bytes };
}
