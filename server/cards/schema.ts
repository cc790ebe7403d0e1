import { Type, type Static } from 'typebox';
import { Account } from '../accounts/index.ts';
import { entity } from '../platform/http/entity.ts';

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** Who wrote a page; with an account when that account says so too. */
export const PreviewCardAuthor = entity('PreviewCardAuthor', {
  name: Type.String(),
  url: Type.String(),
  account: nullable(Account),
});

/** What a page that a post links to says about itself. All texts are plain. */
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
  /** Pixels; 0 when unknown. */
  width: Type.Integer(),
  height: Type.Integer(),
  image: nullable(Type.String()),
  image_description: Type.String(),
  embed_url: Type.String(),
  blurhash: nullable(Type.String()),
  published_at: nullable(Type.String({ format: 'date-time' })),
  authors: Type.Array(PreviewCardAuthor),
  /** For those who are signed in: the page names them as its author, but they have not allowed its domain to. */
  missing_attribution: Type.Optional(Type.Boolean()),
});
export type PreviewCard = Static<typeof PreviewCard>;
