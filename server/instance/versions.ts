import { version } from '../platform/version.ts';

/**
 * The version as apps read it: they compare its beginning with Mastodon's to know what they may use, and search the rest
 * for the names of other servers (clients.md, rows 1 to 3).
 */
export const versionForClients = `4.6.5 (compatible; Fieldfare ${version})`;

/**
 * The highest level of Mastodon's client interface whose features are all here; apps turn features on by it (clients.md,
 * row 4: 2 brings grouped notifications, 3 PKCE, 4 standard push …). Raise it only when a level is whole.
 */
export const apiVersion = 1;
