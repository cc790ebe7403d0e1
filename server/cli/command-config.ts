import { join } from 'node:path';
import { loadConfig, type Config } from '../platform/config.ts';

/** Folder of the checkout: `.env` and a relative DATA_DIR are found from here, wherever the command is typed. */
export const projectRoot = join(import.meta.dirname, '..', '..');

/** The settings of this process, with those that the command line overrules. Throws ConfigError. */
export function commandConfig(overruled: Record<string, string | undefined> = {}): Config {
  const given = Object.entries(overruled).filter(([, value]) => value !== undefined);
  return loadConfig({ ...process.env, ...Object.fromEntries(given) }, projectRoot);
}
