/** Storage keys of a profile image and of its still version. */
export interface StoredImage {
  readonly key: string;
  readonly staticKey: string;
}

/** Changes of a local profile, with texts as typed. Absent properties stay. */
export interface ProfileChanges {
  readonly displayName?: string | undefined;
  readonly note?: string | undefined;
  readonly locked?: boolean | undefined;
  readonly bot?: boolean | undefined;
  readonly discoverable?: boolean | undefined;
  readonly indexable?: boolean | undefined;
  readonly hideCollections?: boolean | undefined;
  /** Whether the profile has a media tab. */
  readonly showMedia?: boolean | undefined;
  /** Whether the media tab contains replies. */
  readonly showMediaReplies?: boolean | undefined;
  /** Whether the profile has a tab of featured content. */
  readonly showFeatured?: boolean | undefined;
  readonly attributionDomains?: readonly string[] | undefined;
  /** Rows with neither a name nor a value are dropped. */
  readonly fields?: readonly { readonly name?: string | undefined; readonly value?: string | undefined }[] | undefined;
  readonly avatar?: StoredImage | null | undefined;
  readonly avatarDescription?: string | undefined;
  readonly header?: StoredImage | null | undefined;
  readonly headerDescription?: string | undefined;
}
