import { join } from 'node:path';
import { loadConfig, type Config } from '../platform/config.ts';
import { isCheckout } from '../platform/version.ts';
import type { CommandOptions } from './shell.ts';

/** Folder of the checkout or the release. */
export const projectRoot = join(import.meta.dirname, '..', '..');

/**
 * Where `.env` is, and what a relative DATA_DIR is relative to: the checkout, or for a release, which is never written to, the
 * working directory.
 */
export const settingsFolder = isCheckout ? projectRoot : process.cwd();

/** Loads the settings; `overrides` wins over the environment of the shell. Throws ConfigError. */
export function commandConfig({ shell }: CommandOptions, overrides: Record<string, string | undefined> = {}): Config {
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return loadConfig({ ...shell.env, ...Object.fromEntries(given) }, settingsFolder);
}
