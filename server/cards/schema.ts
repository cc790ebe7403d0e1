import { Type, type Static } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { entity } from '../platform/http/entity.ts';

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** The author of a page. `account` is set if the account allows the attribution. */
export const PreviewCardAuthor = entity('PreviewCardAuthor', {
  name: Type.String(),
  url: Type.String(),
  account: nullable(Account),
});

/** The preview of a linked page. All texts are plain text. */
export const PreviewCard = entity('PreviewCard', {
  url: Type.String(),
  title: Type.String(),
  description: Type.String(),
  language: nullable(Type.String()),
  type: Type.Enum(['link', 'photo', 'video', 'rich']),
  author_name: Type.String(),
  author_url: Type.String(),
  provider_name: Type.String(),
  provider_url: Type.String(),
  /** A sandboxed `iframe`, or empty. */
  html: Type.String(),
  /** Pixels; 0: unknown. */
  width: Type.Integer(),
  height: Type.Integer(),
  image: nullable(Type.String()),
  image_description: Type.String(),
  embed_url: Type.String(),
  blurhash: nullable(Type.String()),
  published_at: nullable(Type.String({ format: 'date-time' })),
  authors: Type.Array(PreviewCardAuthor),
  /**
   * Whether the page names the viewer as its author, but the viewer does not allow its domain. Missing for anonymous
   * viewers.
   */
  missing_attribution: Type.Optional(Type.Boolean()),
});
export type PreviewCard = Static<typeof PreviewCard>;
