import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

const mediaSize = entity('MediaSize', {
  width: Type.Optional(Type.Integer()),
  height: Type.Optional(Type.Integer()),
  /** `640x480`; images only. */
  size: Type.Optional(Type.String()),
  /** Width by height; images only. */
  aspect: Type.Optional(Type.Number()),
  /** Frames per second as a fraction, `30000/1001`; video only. */
  frame_rate: Type.Optional(Type.String()),
  /** Seconds. */
  duration: Type.Optional(Type.Number()),
  /** Bits per second. */
  bitrate: Type.Optional(Type.Integer()),
});

/** The dimensions of a file: MediaAttachment.meta, and the column `meta` as stored. */
export const MediaMeta = entity('MediaMeta', {
  original: Type.Optional(mediaSize),
  small: Type.Optional(mediaSize),
  /** The point that must stay visible when a preview is cropped, from -1 to 1, y upwards. */
  focus: Type.Optional(Type.Object({ x: Type.Number(), y: Type.Number() })),
  colors: Type.Optional(Type.Object({ background: Type.String(), foreground: Type.String(), accent: Type.String() })),
});
export type MediaMeta = Static<typeof MediaMeta>;

/** An attachment of a status, or an unposted one (reference/entities.tsv). */
export const MediaAttachment = entity('MediaAttachment', {
  id: idSchema<'media'>(),
  type: Type.Union([
    Type.Literal('unknown'),
    Type.Literal('image'),
    Type.Literal('gifv'),
    Type.Literal('video'),
    Type.Literal('audio'),
  ]),
  /** Null while it is being processed. */
  url: Type.Union([Type.String(), Type.Null()]),
  preview_url: Type.Union([Type.String(), Type.Null()]),
  /** Null for local files. */
  remote_url: Type.Union([Type.String(), Type.Null()]),
  preview_remote_url: Type.Union([Type.String(), Type.Null()]),
  /** Deprecated, still used by old apps: the page of the status of a local file. Null for a remote one. */
  text_url: Type.Union([Type.String(), Type.Null()]),
  /** Null until it is processed. */
  meta: Type.Union([MediaMeta, Type.Null()]),
  description: Type.Union([Type.String(), Type.Null()]),
  blurhash: Type.Union([Type.String(), Type.Null()]),
});
export type MediaAttachment = Static<typeof MediaAttachment>;

/** A file that is not posted yet, as its owner sees it. */
export const UploadedMedia = entity('UploadedMedia', {
  ...MediaAttachment.properties,
  earlier_description: Type.Union([Type.String(), Type.Null()], {
    description: 'The newest description that the owner wrote for the same file before',
  }),
});
export type UploadedMedia = Static<typeof UploadedMedia>;
