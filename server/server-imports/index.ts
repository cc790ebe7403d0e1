// Imports of whole servers: a running instance of other software becomes Fieldfare on the same domain.
export { isDatabaseUrl } from './connect-source.ts';
export type { CountedTable } from './count-rows.ts';
export { openGotosocialImport } from './gotosocial/import-gotosocial.ts';
export { readMastodonEnvironment } from './mastodon/environment.ts';
export { openMastodonImport } from './mastodon/import-mastodon.ts';
export type { FinishedImport, PlannedImport, ServerImport } from './server-import.ts';
