import { maxReactions } from '../statuses/emoji-reactions/index.ts';
import { contentTypes } from '../text/format/index.ts';

/** Limits of posts and media (reference/limits.tsv) that versions 1 and 2 of the instance data share. */
export const sharedLimits = {
  statuses: {
    max_characters: 500,
    max_media_attachments: 4,
    characters_reserved_per_url: 23,
    // A field of glitch-soc: apps offer these formats (clients.md, row 42).
    supported_mime_types: contentTypes,
  },
  media_attachments: {
    supported_mime_types: [
      ...mimeTypes('image', 'jpeg png gif heic heif webp avif'),
      ...mimeTypes('video', 'webm mp4 quicktime ogg'),
      ...mimeTypes('audio', 'wave wav x-wav x-pn-wave vnd.wave ogg vorbis mpeg mp3 webm flac aac m4a x-m4a mp4 3gpp'),
      'video/x-ms-asf',
    ],
    image_size_limit: 16_777_216,
    image_matrix_limit: 33_177_600,
    video_size_limit: 103_809_024,
    video_frame_rate_limit: 120,
    video_matrix_limit: 8_294_400,
  },
  // A field of glitch-soc: apps offer reactions if it exists (clients.md, row 42).
  reactions: { max_reactions: maxReactions },
  polls: { max_options: 4, max_characters_per_option: 50, min_expiration: 300, max_expiration: 2_629_746 },
} as const;

export const accountLimits = {
  max_display_name_length: 40,
  max_note_length: 500,
  max_avatar_description_length: 150,
  max_header_description_length: 150,
  max_featured_tags: 10,
  max_pinned_statuses: 5,
  max_profile_fields: 4,
  profile_field_name_limit: 255,
  profile_field_value_limit: 255,
} as const;

function mimeTypes(kind: string, names: string): string[] {
  return names.split(' ').map((name) => `${kind}/${name}`);
}
