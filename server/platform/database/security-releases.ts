/**
 * The newest minor release of each major version of PostgreSQL that fixed security flaws when this version of Fieldfare was
 * released. Source: https://www.postgresql.org/support/security/
 */
const securityReleases: Readonly<Record<number, number>> = { 15: 20, 16: 16, 17: 12, 18: 7 };

/** Returns the version with fixes that a server lacks, such as `18.7`. `versionNumber`: `server_version_num`. */
export function findMissingSecurityRelease(versionNumber: number): string | undefined {
  const major = Math.floor(versionNumber / 10_000);
  const fixed = securityReleases[major];
  return fixed !== undefined && versionNumber % 10_000 < fixed ? `${major}.${fixed}` : undefined;
}
