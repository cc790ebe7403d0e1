import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A systemd unit: its settings by name, with those that are repeated joined by spaces. */
export class Unit {
  readonly #settings = new Map<string, string>();

  constructor(text: string) {
    for (const line of text.split('\n')) {
      const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (name !== undefined) this.#settings.set(name, [this.#settings.get(name) ?? '', value].join(' ').trim());
    }
  }

  static read(): Unit {
    return new Unit(
      readFileSync(join(import.meta.dirname, '..', '..', 'deploy', 'systemd', 'fieldfare.service'), 'utf8'),
    );
  }

  require(name: string): string {
    const value = this.#settings.get(name);
    if (value === undefined) throw new Error(`the unit has no ${name}`);
    return value;
  }

  list(name: string): string[] {
    return (this.#settings.get(name) ?? '').split(/\s+/).filter((word) => word !== '');
  }

  /** Folders that the service may write to, besides /tmp. */
  get writableFolders(): string[] {
    return [...this.list('ReadWritePaths'), ...this.list('CacheDirectory').map((name) => `/var/cache/${name}`)];
  }
}

/**
 * Returns a shell script that runs the service of a unit in a mount namespace, as systemd does: `checkout` is mounted at its
 * working directory and `cache` at its CacheDirectory, everything else is read-only, and it has no rights. The user and group
 * are numbers. It is for `unshare --mount`, as root.
 */
export function serviceScript(
  unit: Unit,
  { checkout, cache, uid }: { checkout: string; cache: string; uid: number },
): string {
  for (const [name, value] of [
    ['ProtectSystem', 'strict'],
    ['ProtectHome', 'read-only'],
    ['PrivateTmp', 'yes'],
    ['NoNewPrivileges', 'yes'],
  ] as const)
    if (unit.require(name) !== value) throw new Error(`the test knows only ${name}=${value}`);
  const directory = unit.require('WorkingDirectory');
  const [cacheName = ''] = unit.list('CacheDirectory');
  return `set -eu
mount --make-rprivate /
# Places that this machine may lack.
mount -t tmpfs tmpfs /opt
mkdir -p ${directory} /var/cache
mount --bind ${checkout} ${directory}
mount -t tmpfs tmpfs /var/cache
mkdir -p /var/cache/${cacheName}
mount --bind ${cache} /var/cache/${cacheName}
${unit.writableFolders.map((folder) => `mount --bind ${folder} ${folder}`).join('\n')}
# PrivateTmp
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs -o mode=1777 tmpfs /var/tmp
# ProtectSystem=strict, ProtectHome=read-only
awk '{ print $5 }' /proc/self/mountinfo | while read -r place; do
  case "$place" in
    /proc|/proc/*|/sys|/sys/*|/dev|/dev/*|/tmp|/var/tmp) continue ;;
${unit.writableFolders.map((folder) => `    ${folder}) continue ;;`).join('\n')}
  esac
  mount -o remount,bind,ro "$place" 2>/dev/null || true
done
for place in / /opt ${directory} ${directory}/server /var/cache /home /root; do
  ! touch "$place" 2>/dev/null || { echo "$place is writable" >&2; exit 1; }
done
umask ${unit.require('UMask')}
cd ${directory}
exec env --ignore-environment PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin HOME=${directory} \\
  ${unit.list('Environment').join(' ')} "$@" \\
  setpriv --reuid ${uid} --regid ${uid} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \\
  ${unit.require('ExecStart')}
`;
}
