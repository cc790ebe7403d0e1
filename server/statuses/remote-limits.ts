/** Code points of a remote content warning that are stored and shown. */
export const maxRemoteSpoiler = 5_000;
