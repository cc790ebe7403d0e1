import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The last release before this version, for clones without tags. */
const named = { tag: 'v0.1.1', commit: 'ed8ab57b2fdf88add77fe2389c33f835457dc7ab' };

const runGit = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });

const succeeds = (...args: readonly string[]): boolean => spawnSync('git', args, { cwd: root }).status === 0;

/** A checkout of the last release before this version, with its packages. Disposal deletes it. */
export class LastRelease implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'ff-release-'));
  readonly tag: string;

  private constructor(tag: string) {
    this.tag = tag;
  }

  /** Returns undefined if this checkout has no history, as shallow clones have none. Throws if a newer release has a tag. */
  static checkOut(): LastRelease | undefined {
    if (!succeeds('cat-file', '-e', `${named.commit}^{commit}`)) return undefined;
    const described = ['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^'];
    const tag = succeeds(...described) ? runGit(...described).trim() : named.tag;
    if (tag !== named.tag) throw new Error(`The last release is ${tag}: name it in test/ops/last-release.ts.`);
    const release = new LastRelease(tag);
    try {
      release.#fill();
    } catch (error) {
      release[Symbol.dispose]();
      throw error;
    }
    return release;
  }

  #fill(): void {
    const parts = ['server', 'locales', 'package.json', 'package-lock.json', 'web'];
    const archive = join(this.folder, 'release.tar');
    runGit('archive', `--output=${archive}`, named.commit, ...parts);
    execFileSync('tar', ['--extract', `--file=${archive}`, '--directory', this.folder]);
    const hasSamePackages = packagesIn(runGit('show', `${named.commit}:package-lock.json`)) === currentPackages();
    if (hasSamePackages) symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
    else this.#installPackages();
  }

  #installPackages(): void {
    const args = ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    execFileSync('npm', args, { cwd: this.folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the packages that a server needs by a lock file as text: the version of the project itself is not among them. */
function packagesIn(lock: string): string {
  const { packages } = JSON.parse(lock) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  return JSON.stringify(
    Object.entries(packages).filter(([path, { dev }]) => path.includes('node_modules/') && dev !== true),
  );
}

const currentPackages = (): string => packagesIn(readFileSync(join(root, 'package-lock.json'), 'utf8'));
