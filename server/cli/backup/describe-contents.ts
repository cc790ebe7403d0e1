/** What a backup contains, in numbers. */
interface Contents {
  readonly rows: Readonly<Record<string, number>>;
  readonly media: { readonly files: number; readonly bytes: number };
}

/** Formats the contents of a backup for a sentence. */
export function describeContents({ rows, media }: Contents): string {
  const tables = Object.keys(rows).length;
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return `${total} rows of ${tables} tables, ${media.files} media files (${(media.bytes / 1e6).toFixed(1)} MB)`;
}
