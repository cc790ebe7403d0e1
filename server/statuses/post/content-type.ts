import type { ContentType } from '../../text/format/index.ts';

/** A content type as stored in a column; null: text/plain. */
export type StoredContentType = Exclude<ContentType, 'text/plain'> | null;

export const storedContentType = (type: ContentType): StoredContentType => (type === 'text/plain' ? null : type);

/** Returns the content type of a status or of a version of it. */
export const contentTypeOf = (row: { readonly content_type: StoredContentType }): ContentType =>
  row.content_type ?? 'text/plain';
