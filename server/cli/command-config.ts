import { join } from 'node:path';
import { loadConfig, type Config } from '../platform/config.ts';
import type { CommandOptions } from './shell.ts';

/** Folder of the checkout: `.env` and a relative DATA_DIR are resolved against it, not against the working directory. */
export const projectRoot = join(import.meta.dirname, '..', '..');

/** Loads the settings; `overrides` wins over the environment of the shell. Throws ConfigError. */
export function commandConfig({ shell }: CommandOptions, overrides: Record<string, string | undefined> = {}): Config {
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return loadConfig({ ...shell.env, ...Object.fromEntries(given) }, projectRoot);
}
