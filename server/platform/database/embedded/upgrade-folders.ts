import { existsSync } from 'node:fs';
import { EmbeddedError } from './error.ts';

/** The folders of an upgrade to a new major version. Their names tell how far it is. */
export interface UpgradeFolders {
  /** A new cluster that does not have all data yet. */
  readonly unfinished: string;
  /** A new cluster with all data, which is to replace the old one. */
  readonly finished: string;
  /** The old cluster, until it is no longer needed. */
  readonly old: string;
}

export const upgradeFolders = (dataDir: string): UpgradeFolders => ({
  unfinished: `${dataDir}.upgrade`,
  finished: `${dataDir}.upgraded`,
  old: `${dataDir}.old`,
});

/** Throws EmbeddedError if an upgrade has begun and not ended: what the old cluster stores now would be lost. */
export function assertNoUpgrade(dataDir: string): void {
  const { unfinished, finished } = upgradeFolders(dataDir);
  if (existsSync(unfinished))
    throw new EmbeddedError(
      'An upgrade of the database was interrupted. Run: fieldfare db upgrade (or, to go on without it, fieldfare db upgrade --cancel)',
    );
  if (existsSync(finished))
    throw new EmbeddedError('An upgrade of the database was interrupted. Run: fieldfare db upgrade');
}
