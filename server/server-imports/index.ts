// Imports of whole servers: a running instance of other software becomes Fieldfare on the same domain.
export type { CountedTable } from './count-rows.ts';
export { readMastodonEnvironment } from './mastodon/environment.ts';
export { MastodonImport, type FinishedImport, type PlannedImport } from './mastodon/import-mastodon.ts';
