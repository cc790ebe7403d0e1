import type { Config } from '../platform/config.ts';

/** Returns the issuer of the only sign-in provider of the settings; undefined if there is none, or several. */
export const onlyIssuer = ({ signInProviders: providers }: Pick<Config, 'signInProviders'>): string | undefined =>
  providers.length === 1 ? providers[0]?.issuer : undefined;
