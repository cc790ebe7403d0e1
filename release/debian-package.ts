import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Arch } from './packages.ts';
import { runProgram } from './run-program.ts';

/** Where the package has the release, and what the service writes to. */
const place = '/usr/lib/fieldfare';
const state = '/var/lib/fieldfare';
const settings = '/etc/fieldfare/fieldfare.env';
const unitFile = '/usr/lib/systemd/system/fieldfare.service';

/** Processors as Debian names them. */
const debianArches: Readonly<Record<Arch, string>> = { x64: 'amd64', arm64: 'arm64' };

export interface DebianPackage {
  /** The folder of a release. It is only read. */
  readonly folder: string;
  readonly arch: Arch;
  readonly version: string;
  /** Where to write the package. */
  readonly file: string;
  /** As `dpkg-deb -Z` names it. */
  readonly compression: 'none' | 'xz';
}

export const debianFileName = (version: string, arch: Arch): string => `fieldfare_${version}_${debianArches[arch]}.deb`;

/**
 * Writes a package for Debian and Ubuntu: a release in /usr/lib, its service, the user `fieldfare`, and a command that runs as
 * this user. Settings are a configuration file of the package. Data is deleted by nobody but the operator. Needs dpkg-deb.
 */
export async function buildDebianPackage({ folder, arch, version, file, compression }: DebianPackage): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'fieldfare-deb-'));
  try {
    const write = (path: string, text: string, mode = 0o644): void => {
      mkdirSync(join(root, dirname(path)), { recursive: true, mode: 0o755 });
      writeFileSync(join(root, path), text, { mode });
    };
    mkdirSync(join(root, dirname(place)), { recursive: true });
    cpSync(folder, join(root, place), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    write(settings, settingsText, 0o640);
    write(unitFile, packagedUnit(readFileSync(join(folder, 'deploy/systemd/fieldfare.service'), 'utf8')));
    write('/usr/bin/fieldfare', commandText, 0o755);
    write('/usr/share/doc/fieldfare/copyright', readFileSync(join(folder, 'LICENSE'), 'utf8'));
    write('/DEBIAN/control', controlText({ version, arch, kibibytes: kibibytesOf(root) }));
    write('/DEBIAN/conffiles', `${settings}\n`);
    for (const [name, text] of Object.entries(scripts)) write(`/DEBIAN/${name}`, `#!/bin/sh\nset -eu\n${text}`, 0o755);
    await runProgram('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', root, file]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function kibibytesOf(root: string): number {
  const files = globSync('**', { cwd: root }).map((path) => statSync(join(root, path), { throwIfNoEntry: false }));
  return Math.ceil(files.reduce((sum, stats) => sum + (stats?.isFile() === true ? stats.size : 0), 0) / 1024);
}

const controlText = ({ version, arch, kibibytes }: { version: string; arch: Arch; kibibytes: number }): string =>
  `Package: fieldfare
Version: ${version}
Architecture: ${debianArches[arch]}
Maintainer: The developers of Fieldfare <fieldfare@invalid>
Installed-Size: ${kibibytes}
Section: net
Priority: optional
Depends: libc6 (>= 2.31), passwd, util-linux, ca-certificates
Recommends: ffmpeg
Description: federated microblogging server
 People follow each other across servers by ActivityPub, with their favourite
 Mastodon apps or the web client. Node and PostgreSQL are part of the package.
`;

const settingsText = `# Settings of Fieldfare, as NAME=value: ${place}/docs/configuration.md describes all of them.
# After a change: systemctl restart fieldfare
#
# The public address. It cannot change once other servers know it.
#BASE_URL=https://example.org
`;

const commandText = `#!/bin/sh
# Runs a command of Fieldfare as its user: fieldfare help, fieldfare doctor. Relative paths are below ${state}.
set -eu
case $(id -un) in
  root) cd ${state} && exec runuser -u fieldfare -- ${place}/fieldfare "$@" ;;
  fieldfare) cd ${state} && exec ${place}/fieldfare "$@" ;;
  *) echo 'fieldfare: run it as root or as the user fieldfare' >&2; exit 1 ;;
esac
`;

/** Returns the unit of a checkout with the places of the package, which never builds anything. */
function packagedUnit(unit: string): string {
  const replacements: readonly (readonly [RegExp, string])[] = [
    [/^# .*\n/, '# Fieldfare, as its own user.\n'],
    [/^Documentation=.*$/m, `Documentation=file://${place}/docs/operations.md`],
    [/^WorkingDirectory=.*$/m, `WorkingDirectory=${state}`],
    [/^# npm keeps .*\nCacheDirectory=.*\n/m, ''],
    [/^Environment=.*$/m, 'Environment=NODE_ENV=production'],
    [/^ExecStart=.*$/m, `ExecStart=${place}/fieldfare serve`],
    [/^# After an update, .*\nReadWritePaths=.*$/m, `ReadWritePaths=${state}`],
  ];
  return replacements.reduce((text, [pattern, replacement]) => {
    if (!pattern.test(text)) throw new Error(`the unit has no ${pattern.source}`);
    return text.replace(pattern, replacement);
  }, unit);
}

/** Where systemd does not run (a container), the scripts leave the service alone. */
const whereSystemdRuns = '[ -d /run/systemd/system ]';
/** Exists while an update has stopped the service. */
const restartMark = '/run/fieldfare-restart';

/** The scripts of the package, as the policy of Debian names them. */
const scripts = {
  preinst: `# The program loads its files when it needs them: it must not run while they are replaced.
if [ "$1" = upgrade ] && ${whereSystemdRuns} && systemctl --quiet is-active fieldfare; then
  touch ${restartMark}
  systemctl stop fieldfare
fi
`,
  postinst: `[ "$1" = configure ] || exit 0
id fieldfare >/dev/null 2>&1 || useradd --system --user-group --home-dir ${state} --shell /usr/sbin/nologin fieldfare
install --directory --owner=fieldfare --group=fieldfare --mode=0750 ${state}
ln --symbolic --force --no-dereference ${settings} ${state}/.env
chgrp fieldfare ${settings}
if ${whereSystemdRuns}; then
  systemctl daemon-reload
  if [ -e ${restartMark} ]; then
    rm ${restartMark}
    systemctl start fieldfare
  fi
fi
[ -n "\${2:-}" ] || echo "Set BASE_URL in ${settings}, then: systemctl enable --now fieldfare"
`,
  prerm: `if [ "$1" = remove ] && ${whereSystemdRuns}; then
  systemctl disable --quiet --now fieldfare
fi
`,
  postrm: `if [ "$1" = purge ]; then
  rm --force ${state}/.env
  [ ! -d ${state} ] || echo "The data is still in ${state}."
fi
! ${whereSystemdRuns} || systemctl daemon-reload
`,
};
