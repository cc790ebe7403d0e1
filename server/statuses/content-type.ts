import type { ContentType } from '../text/index.ts';

/** A content type as rows hold it. */
export type StoredContentType = Exclude<ContentType, 'text/plain'> | null;

export const storedContentType = (type: ContentType): StoredContentType => (type === 'text/plain' ? null : type);

/** How the text of a status, or of a version of it, was written. */
export const contentTypeOf = (row: { readonly content_type: StoredContentType }): ContentType =>
  row.content_type ?? 'text/plain';
