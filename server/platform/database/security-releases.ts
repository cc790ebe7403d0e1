/**
 * The newest minor release of each major version of PostgreSQL that fixed security flaws when this version of Fieldfare was
 * released. Renovate proposes newer ones (renovate.json). Source: https://www.postgresql.org/support/security/
 */
const securityReleases = ['15.20', '16.16', '17.12', '18.7'];

/**
 * Returns whether a server has the fixes of the security releases that are known: `missing` is the version with fixes that it
 * lacks, such as `18.7`. `isKnown` is false for major versions that are newer than this version of Fieldfare. `versionNumber`:
 * `server_version_num`.
 */
export function compareWithSecurityReleases(versionNumber: number): {
  readonly isKnown: boolean;
  readonly missing?: string;
} {
  const major = Math.floor(versionNumber / 10_000);
  const fixed = securityReleases.find((version) => version.startsWith(`${major}.`));
  if (fixed === undefined) return { isKnown: false };
  const minor = Number(fixed.slice(fixed.indexOf('.') + 1));
  return versionNumber % 10_000 < minor ? { isKnown: true, missing: fixed } : { isKnown: true };
}
