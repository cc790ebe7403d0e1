import { version } from '../platform/version.ts';

/**
 * The version as apps read it: they compare its beginning with Mastodon's to know what they may use, and search the rest
 * for the names of other servers (clients.md, rows 1 to 3).
 */
export const versionForClients = `4.6.5 (compatible; Fieldfare ${version})`;

/**
 * The highest level of Mastodon's client interface whose features are all here, with those of all levels below: apps turn
 * features on by it (clients.md, row 4). 2 brings grouped notifications, 3 PKCE, 4 standard push, 6 featured accounts,
 * 7 quotes, 8 editing of profiles, 10 collections, 11 descriptions of their pictures. What is here of the levels above
 * it works for apps that find it by itself. A test raises it together with the routes.
 */
export const apiVersion = 1;
