import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliProcess } from './cli-process.ts';
import { Unit } from './service-mounts.ts';

const prepare = `set -eu
mount --make-rprivate /
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" overlay "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$1/root/tmp"
mount -t tmpfs tmpfs "$1/root/run"
echo prepared
exec sleep infinity
`;

/** This machine, with changes that nobody else sees and that are gone at the end. Systemd does not run in it. */
export class DebianRoot implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'ff-debian-'));
  #holder: CliProcess | undefined;

  /** Returns why it cannot exist here; undefined if it can. */
  static obstacle(): string | undefined {
    const script = prepare.replace('exec sleep infinity', '');
    const folder = mkdtempSync(join(tmpdir(), 'ff-debian-'));
    const { status, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script, 'sh', folder], {
      encoding: 'utf8',
    });
    rmdirSync(folder);
    return status === 0 ? undefined : `this user may not mount overlays: ${stderr.trim()}`;
  }

  async open(): Promise<void> {
    this.#holder = new CliProcess(spawn('unshare', ['--mount', 'sh', '-c', prepare, 'sh', this.#folder]));
    await this.#holder.waitForOutput('prepared');
  }

  /** Runs a script as root and returns what it prints. Throws with its output if it fails. */
  run(script: string): string {
    // Settings of the tests must not reach the program.
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' };
    const { status, stdout, stderr } = spawnSync('nsenter', this.#args(script), { encoding: 'utf8', cwd: '/', env });
    if (status !== 0) throw new Error(`${script} failed: ${stdout}${stderr}`);
    return stdout;
  }

  /** Starts the service as its unit says, below read-only mounts and without rights, but not by systemd. */
  start(): CliProcess {
    const unit = new Unit(this.run('cat /usr/lib/systemd/system/fieldfare.service'));
    const [directory, user] = [unit.require('WorkingDirectory'), unit.require('User')];
    const script = `set -eu
${unit.writableFolders.map((folder) => `mount --bind ${folder} ${folder}`).join('\n')}
mount --options remount,bind,ro /
! touch /usr/lib/fieldfare/x 2>/dev/null || { echo 'the program is writable' >&2; exit 1; }
umask ${unit.require('UMask')}
cd ${directory}
exec env --ignore-environment PATH=/usr/bin:/bin HOME=${directory} ${unit.list('Environment').join(' ')} \\
  setpriv --reuid ${user} --regid ${unit.require('Group')} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \\
  ${unit.require('ExecStart')}
`;
    const [target = '', ...rest] = this.#args(script);
    return new CliProcess(spawn('nsenter', [target, '--mount', 'unshare', '--mount', ...rest.slice(1)]));
  }

  /** Arguments of nsenter for a script in the root. */
  #args(script: string): string[] {
    const root = join(this.#folder, 'root');
    return [`--target=${this.#holder?.child.pid}`, '--mount', 'chroot', root, 'sh', '-c', script];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#holder?.kill('SIGKILL');
    rmdirSync(this.#folder);
  }
}
