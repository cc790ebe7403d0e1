/** How long the data of a suspended account is kept, as in Mastodon. */
export const suspensionRetentionDays = 30;
