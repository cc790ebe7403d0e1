// Runs before every command, on any Node from 20 on, with nothing installed:
// installs missing packages, including Node 24, and continues with that.
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants as access,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import * as nodeModule from 'node:module';
import { constants, homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importBundle, openBundle } from './bundle/open-bundle.mjs';

/** Folder of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const modules = join(root, 'node_modules');
/** Folder of the bundle of the program, and of what Node compiled. */
export const compileCache = process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'fieldfare');
const lockFile = join(root, 'package-lock.json');
/** Written by npm with each installation. */
export const installedFile = join(modules, '.package-lock.json');

const manifest = readJson(join(root, 'package.json'));
const requiredMajor = findNodeMajor(manifest.optionalDependencies);
/** The package that contains Node for this machine; not every machine has one. */
const nodePackage = `node-${process.platform}-${process.arch}`;

/** Flags of Node and environment variables of `npm start` in package.json, explained in docs/decisions/0026. */
const { start } = manifest.scripts;
const serverFlags = start.match(/--\S+/g) ?? [];
const serverEnvironment = Object.fromEntries((start.match(/\b[A-Z_]+=\S+/g) ?? []).map((set) => set.split('=')));

/**
 * Returns the major version of Node among the optional packages, for any processor: the release for one of them lists no
 * other. Throws if there is none, because each child would start another one.
 */
export function findNodeMajor(packages) {
  const [, version = ''] = Object.entries(packages).find(([name]) => name.startsWith('node-linux-')) ?? [];
  const major = Number.parseInt(version, 10);
  if (Number.isNaN(major)) throw new Error('package.json lists no version of Node');
  return major;
}

/** Whether this process is Node 24. If not, a child runs the program. */
export const runsRequiredNode = Number(process.versions.node.split('.')[0]) >= requiredMajor;

/**
 * Installs the packages if they are missing or differ from package-lock.json. Includes development tools only if `tools` is
 * true. Exits if npm fails, or if Node 24 is missing then.
 */
export async function ensureInstalled({ tools = false } = {}) {
  if (isInstalled(tools) && !lacksNode()) return;
  process.stderr.write('Installing packages. This happens once and when they change, and takes about half a minute.\n');
  await installPackages(tools);
  if (!lacksNode()) return;
  // npm ends with success if it cannot download an optional package, and does not say why. This says why.
  const { version } = readPackages(lockFile)[join('node_modules', nodePackage)];
  process.stderr.write(`npm left out ${nodePackage}, which contains Node ${requiredMajor}. Trying once more.\n`);
  const { code, output } = await runNpm(['cache', 'add', `${nodePackage}@${version}`]);
  if (code === 0) await installPackages(tools);
  if (!lacksNode()) return;
  process.stderr.write(output);
  process.stderr.write(
    `Node ${requiredMajor} could not be installed: the package ${nodePackage} ${version} ` +
      `${code === 0 ? 'was downloaded, but npm left it out again' : 'could not be downloaded. The output of npm is above'}. ` +
      `Try again, or install Node ${requiredMajor} from https://nodejs.org.\n`,
  );
  process.exit(1);
}

/** Whether this is not Node 24, and the package with it was left out by an installation. */
function lacksNode() {
  const isMissing = !runsRequiredNode && !existsSync(join(modules, '.bin', 'node'));
  return isMissing && readPackages(lockFile)[join('node_modules', nodePackage)] !== undefined;
}

async function installPackages(tools) {
  const packages = Object.values(readPackages(lockFile)).filter(({ dev }) => tools || !dev).length;
  const { code, output } = await runNpm(['ci', tools ? '--include=dev' : '--omit=dev'], (pid) =>
    showProgress(packages, pid),
  );
  if (code === 0) return;
  process.stderr.write(output);
  process.stderr.write(`The packages could not be installed: npm ci exited with ${code}. Its output is above.\n`);
  process.exit(1);
}

/**
 * Runs npm. Returns its exit code and output. A signal ends npm with all its children, and this process. `onStart` is called
 * with the process id, and returns a function that is called at the end.
 */
async function runNpm(args, onStart = () => () => {}) {
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const cache = createCacheIfNeeded();
  const [command, ...all] = [...npm, ...args, ...(cache === undefined ? [] : ['--cache', cache])];
  // A group of its own: scripts of packages are children of npm, which does not end them.
  const child = spawn(command, all, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const onEnd = onStart(child.pid);
  const cleanUp = () => {
    onEnd();
    if (cache !== undefined) rmSync(cache, { recursive: true, force: true });
  };
  const code = await waitForStep(child, (signal) => killGroup(child.pid, signal), cleanUp);
  return { code, output: Buffer.concat(output) };
}

/** Creates a cache for npm if its own cannot be written to, such as below a home that is read-only. */
function createCacheIfNeeded() {
  const folder = process.env.npm_config_cache ?? join(homedir(), '.npm');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, access.W_OK);
    return undefined;
  } catch {
    return mkdtempSync(join(tmpdir(), 'fieldfare-npm-'));
  }
}

function killGroup(pid, signal) {
  if (pid === undefined) return; // It did not start.
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

let bundle;

/** Commands that read so much that they need the flags of the server: an import has half the memory with them. */
const largeCommands = ['import'];
const hasServerFlags = serverFlags.every((flag) => process.execArgv.includes(flag));

/** Runs the program with Node 24: in this process if it runs Node 24 with the flags that the command needs, else in a child. */
export async function runProgram(args) {
  if (!runsRequiredNode || (largeCommands.includes(args[0]) && !hasServerFlags))
    process.exit(await runNode([...serverFlags, ...process.argv.slice(1)], { env: serverEnvironment }));
  // By paths relative to the folder, so that an installation may be moved.
  nodeModule.enableCompileCache({ directory: compileCache, portable: true });
  process.argv = [process.execPath, join(root, 'server/main.ts'), ...args];
  bundle ??= openBundle(root, compileCache);
  const { runCommandLine } = await (bundle === undefined ? import('../server/cli/run.ts') : importBundle(bundle));
  await runCommandLine(args);
}

/**
 * Bundles and compiles the program in a child process if it has changed. A server that compiles itself keeps the memory of
 * the compiler, 20 MB, as long as it runs.
 */
export async function ensureCompiled() {
  if (!runsRequiredNode) return; // Its child does it.
  bundle ??= openBundle(root, compileCache);
  if (bundle !== undefined) return;
  try {
    mkdirSync(compileCache, { recursive: true });
    accessSync(compileCache, access.W_OK);
  } catch {
    return; // Another user owns the installation and the cache.
  }
  await runStep([...serverFlags, join(root, 'bin/compile.mjs')], { stdio: 'ignore' });
}

/** Runs Node 24 with `args` and the input and output of this process. Returns its exit code. Passes on signals. */
export async function runNode(args, options = {}) {
  const child = startNode(args, options);
  return waitForExit(
    child,
    forwardSignals((signal) => child.kill(signal)),
  );
}

/** Like `runNode`, for a step before the program runs: a signal ends this process too. Calls `cleanUp` at the end of the step. */
export function runStep(args, options = {}, cleanUp = () => {}) {
  const child = startNode(args, options);
  return waitForStep(child, (signal) => child.kill(signal), cleanUp);
}

function startNode(args, options) {
  return spawn(findNode(), args, {
    stdio: 'inherit',
    ...options,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      NODE_COMPILE_CACHE_PORTABLE: '1',
      PATH: `${join(modules, '.bin')}:${process.env.PATH}`,
      ...options.env,
    },
  });
}

/** Returns the path of Node 24 or newer. Exits if there is none. */
export function findNode() {
  const packaged = join(modules, '.bin', 'node');
  if (existsSync(packaged)) return packaged;
  if (Number(process.versions.node.split('.')[0]) >= requiredMajor) return process.execPath;
  process.stderr.write(
    `Fieldfare needs Node ${requiredMajor}, and this is Node ${process.versions.node}. There is no package of it for ` +
      `${process.platform}-${process.arch}: install Node ${requiredMajor} from https://nodejs.org and try again.\n`,
  );
  process.exit(1);
}

function isInstalled(tools) {
  if (!existsSync(installedFile)) return false;
  const isNewer = statSync(installedFile).mtimeMs >= statSync(lockFile).mtimeMs;
  if (isNewer && !tools) return true;
  const installed = readPackages(installedFile);
  const missing = Object.entries(readPackages(lockFile)).some(
    ([path, { version, optional, dev }]) =>
      installed[path]?.version !== version && !(installed[path] === undefined && (optional || (dev && !tools))),
  );
  // A checkout changes file times. Updates the time, so that the contents are compared only once. Otherwise it stays: the
  // bundle of the program depends on it.
  if (!missing && !isNewer) touch(installedFile);
  return !missing;
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Another user owns the installation: contents are compared each time.
  }
}

function readPackages(file) {
  const { packages } = readJson(file);
  delete packages[''];
  return packages;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Prints progress: one line that is overwritten on a terminal, else a line every five seconds. */
function showProgress(packages, pid) {
  const terminal = process.stderr.isTTY === true;
  const startedAt = Date.now();
  const show = () => {
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    const line = `  ${countInstalled(modules)} packages of at most ${packages}${formatBytesWritten(pid)}, ${seconds} s`;
    process.stderr.write(terminal ? `\r${line.padEnd(60)}` : `${line}\n`);
  };
  const timer = setInterval(show, terminal ? 250 : 5000);
  return () => {
    clearInterval(timer);
    if (terminal) process.stderr.write('\n');
  };
}

/**
 * Counts the packages in a node_modules folder whose files are installed. npm creates all folders first, so folders alone do
 * not count.
 */
export function countInstalled(folder) {
  let count = 0;
  for (const name of listFolder(folder)) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    if (name.startsWith('@')) count += countInstalled(path);
    else if (existsSync(join(path, 'package.json'))) count += 1 + countInstalled(join(path, 'node_modules'));
  }
  return count;
}

function listFolder(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Missing, or a file.
  }
}

/** Formats how much a process has written: progress during the large packages at the end. Linux only. */
function formatBytesWritten(pid) {
  try {
    const bytes = Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
    return `, ${Math.round(bytes / 1e6)} MB written`;
  } catch {
    return '';
  }
}

/** How long a step may take to end by itself after a signal. */
const stepEndMs = 500;

/**
 * Waits for a child that must not outlive a signal. `kill` sends a signal to it. After a signal, kills what is left of it and
 * exits: the program does not start. Calls `cleanUp` when the child has ended.
 */
async function waitForStep(child, kill, cleanUp = () => {}) {
  let received;
  const code = await waitForExit(
    child,
    forwardSignals((signal) => {
      kill(signal);
      if (received === undefined) setTimeout(() => kill('SIGKILL'), stepEndMs);
      received ??= signal;
    }),
  );
  if (received !== undefined) kill('SIGKILL');
  cleanUp();
  if (received === undefined) return code;
  process.exit(128 + constants.signals[received]);
}

/** Passes signals on. Returns a function that ends this. */
function forwardSignals(send) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const listeners = signals.map((signal) => {
    const listener = () => send(signal);
    process.on(signal, listener);
    return [signal, listener];
  });
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

function waitForExit(child, stopForwarding) {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      stopForwarding();
      process.stderr.write(`${error.message}\n`);
      resolve(1);
    });
    child.once('exit', (code, signal) => {
      stopForwarding();
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}
