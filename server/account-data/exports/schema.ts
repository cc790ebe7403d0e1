import { Type, type Static } from 'typebox';

export const exportTypes = [
  'following',
  'followers',
  'lists',
  'blocks',
  'mutes',
  'domain_blocks',
  'bookmarks',
] as const;
export type ExportType = (typeof exportTypes)[number];

/** How many rows each export has. */
export const ExportCounts = Type.Object(
  {
    following: Type.Integer(),
    followers: Type.Integer(),
    lists: Type.Integer(),
    blocks: Type.Integer(),
    mutes: Type.Integer(),
    domain_blocks: Type.Integer(),
    bookmarks: Type.Integer(),
  },
  { title: 'ExportCounts', additionalProperties: false },
);
export type ExportCounts = Static<typeof ExportCounts>;
