import { version } from '../platform/version.ts';

/**
 * The version for apps: they compare its start with Mastodon's to detect features, and search the rest for the names of other
 * servers (clients.md, rows 1 to 3).
 */
export const versionForClients = `4.6.5 (compatible; Fieldfare ${version})`;

/**
 * The highest API version of Mastodon up to which all features are implemented: apps enable features by it (clients.md,
 * row 4). 2 adds grouped notifications, 3 PKCE, 4 standard push, 6 featured accounts, 7 quotes, 8 profile editing,
 * 10 collections, 11 descriptions of avatars and headers. Apps that detect features otherwise can use those of higher
 * versions. A test checks it against the routes.
 */
export const apiVersion = 11;
