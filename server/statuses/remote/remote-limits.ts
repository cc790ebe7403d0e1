/** Code points of a remote content warning that are stored and shown. */
export const maxRemoteSpoilerLength = 5_000;
/** Maximum number of hashtags of a remote status. */
export const maxStatusTags = 100;
