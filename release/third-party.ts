import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listBundledPrograms } from './bundled-programs.ts';
import { runProgram } from './run-program.ts';

/** A package of a release. */
interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX, as the package says. */
  readonly licence: string;
}

/** A package whose code is in the files of the web client. It has no folder in a release. */
interface WebPackage extends ShippedPackage {
  /** Undefined if the package contains none. */
  readonly text: string | undefined;
}

/** Lists the packages in a folder by name. Throws if one does not name its licence. */
function listPackages(folder: string): ShippedPackage[] {
  const paths = globSync(['node_modules/**/package.json'], { cwd: folder });
  const packages = new Map<string, ShippedPackage>();
  for (const path of paths.filter((each) => /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(each))) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as Record<string, unknown>;
    if (typeof name !== 'string' || typeof version !== 'string') continue;
    if (typeof license !== 'string') throw new Error(`${path} names no licence`);
    packages.set(`${name} ${version}`, { name, version, licence: license });
  }
  return [...packages.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Lists what Vite bundled into the web client (web/vite.config.ts). Throws if a package does not name its licence. */
function listWebPackages(folder: string): WebPackage[] {
  const listed = JSON.parse(readFileSync(join(folder, 'web/dist/.vite/licences.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly identifier?: string;
    readonly text?: string;
  }[];
  return listed.map(({ name, version, identifier, text }) => {
    if (identifier === undefined) throw new Error(`${name} names no licence`);
    return { name, version, licence: identifier, text };
  });
}

const toTable = (packages: readonly ShippedPackage[]): string =>
  `| package | version | licence |
|---|---|---|
${packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`).join('\n')}
`;

/** Writes THIRD-PARTY.md: the packages of a release with their licences. */
export function writeLicences(folder: string): void {
  const inWebClient = listWebPackages(folder);
  const texts = inWebClient.flatMap(({ name, text }) =>
    text === undefined ? [] : `### ${name}\n\n\`\`\`\n${text}\n\`\`\`\n`,
  );
  writeFileSync(
    join(folder, 'THIRD-PARTY.md'),
    `# Third-party software

Fieldfare itself is under the AGPL-3.0-or-later ([LICENSE](LICENSE)). This release contains these packages; the texts of their licences are in their folders below \`node_modules\`. \`@img/sharp-libvips\` contains the image library libvips (LGPL-3.0-or-later) with its codecs.

FFmpeg is not part of it: an installed \`ffmpeg\` converts videos. The package \`node-av\`, which a checkout installs, contains FFmpeg with parts under the GPL.

${toTable(listPackages(folder))}
## Programs and libraries in these packages

| program | version | licence | file |
|---|---|---|---|
${listBundledPrograms(folder)
  .map(({ name, version, licence, file }) => `| ${name} | ${version} | ${licence} | ${file} |`)
  .join('\n')}

## In the web client

The files in \`web/dist\` also contain the font Literata (OFL-1.1, [LICENSE](web/src/styles/font/LICENSE)), names of emojis from Unicode CLDR (Unicode-3.0, [LICENSE](web/src/composer/emoji-names/LICENSE)), and:

${toTable(inWebClient)}
${texts.join('\n')}`,
  );
}

interface BillOfMaterials {
  readonly components: readonly object[];
}

/**
 * Writes a bill of materials in the format of CycloneDX: the packages below node_modules, the programs in them, and the
 * packages in the web client.
 */
export async function writeBillOfMaterials(folder: string, file: string): Promise<void> {
  const printed = await runProgram('npm', ['sbom', '--omit=dev', '--sbom-format=cyclonedx'], { cwd: folder });
  const bill = JSON.parse(printed) as BillOfMaterials;
  const installed = new Set(listPackages(folder).map(({ name, version }) => `${name} ${version}`));
  const others = listWebPackages(folder).filter(({ name, version }) => !installed.has(`${name} ${version}`));
  const components = others.map(({ name, version, licence }) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const licenses = [licence.includes(' ') ? { expression: licence } : { license: { id: licence } }];
    return { type: 'library', 'bom-ref': `${name}@${version}`, name, version, purl, licenses };
  });
  const programs = listBundledPrograms(folder).map(({ name, version, licence, purl, cpe, file }) => ({
    type: 'library',
    'bom-ref': `${purl}#${file}`,
    name,
    version,
    cpe,
    purl,
    licenses: [{ license: { id: licence } }],
    evidence: { occurrences: [{ location: file }] },
  }));
  writeFileSync(
    file,
    `${JSON.stringify({ ...bill, components: [...bill.components, ...programs, ...components] }, undefined, 2)}\n`,
  );
}
