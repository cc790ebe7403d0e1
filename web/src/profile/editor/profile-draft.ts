import { signal } from '@preact/signals';
import type { Profile } from '../../api/entities.ts';

/** A field while it is edited. */
export interface DraftField {
  readonly name: string;
  readonly value: string;
}

/** A profile while it is edited: what the API has, with new images as data URIs. */
export interface ProfileDraft {
  readonly display_name: string;
  readonly note: string;
  readonly fields: readonly DraftField[];
  /** A data URI; undefined leaves the stored image. */
  readonly avatar: string | undefined;
  readonly avatar_description: string;
  /** A data URI; undefined leaves the stored image. */
  readonly header: string | undefined;
  readonly header_description: string;
  readonly locked: boolean;
  readonly bot: boolean;
  readonly discoverable: boolean;
  readonly indexable: boolean;
  readonly hide_collections: boolean;
  readonly show_media: boolean;
  readonly show_media_replies: boolean;
  readonly show_featured: boolean;
  /** One domain a line. */
  readonly attribution: string;
}

/** What was changed and not saved. It stays while the client runs, so that leaving the page loses nothing. */
export const profileDraft = signal<ProfileDraft | undefined>(undefined);

/** Returns a draft with what is stored. */
export const toDraft = (profile: Profile): ProfileDraft => ({
  display_name: profile.display_name,
  note: profile.note,
  fields: profile.fields.map(({ name, value }) => ({ name, value })),
  avatar: undefined,
  avatar_description: profile.avatar_description,
  header: undefined,
  header_description: profile.header_description,
  locked: profile.locked,
  bot: profile.bot,
  discoverable: profile.discoverable === true,
  indexable: profile.indexable,
  hide_collections: profile.hide_collections === true,
  show_media: profile.show_media,
  show_media_replies: profile.show_media_replies,
  show_featured: profile.show_featured,
  attribution: profile.attribution_domains.join('\n'),
});

/** Returns the body of the request that stores a draft. */
export function toInput({ fields, attribution, avatar, header, ...rest }: ProfileDraft) {
  return {
    ...rest,
    ...(avatar !== undefined && { avatar }),
    ...(header !== undefined && { header }),
    fields_attributes: fields.filter(({ name, value }) => name.trim() !== '' || value.trim() !== ''),
    attribution_domains: attribution
      .split(/[\s,]+/)
      .map((domain) => domain.replace(/^https?:\/\//, '').replace(/\/.*$/, ''))
      .filter((domain) => domain !== ''),
  };
}
