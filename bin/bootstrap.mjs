// Runs before every command, on any Node from 20 on, with nothing installed:
// installs missing packages, including Node 24, and continues with that.
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants as access,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
} from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
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
const requiredMajor = 24;

/** Flags of Node and environment variables of `npm start` in package.json, explained in docs/decisions/0026. */
const { start } = readJson(join(root, 'package.json')).scripts;
const serverFlags = start.match(/--\S+/g) ?? [];
const serverEnvironment = Object.fromEntries((start.match(/\b[A-Z_]+=\S+/g) ?? []).map((set) => set.split('=')));

/**
 * Installs the packages if they are missing or differ from package-lock.json. Includes development tools only if `tools` is
 * true. Exits if npm fails.
 */
export async function ensureInstalled({ tools = false } = {}) {
  if (isInstalled(tools)) return;
  const packages = Object.values(readPackages(lockFile)).filter(({ dev }) => tools || !dev).length;
  process.stderr.write('Installing packages. This happens once and when they change, and takes about half a minute.\n');
  const output = [];
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [command, ...args] = [...npm, 'ci', tools ? '--include=dev' : '--omit=dev'];
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const stopProgress = showProgress(packages, child.pid);
  const code = await waitForExit(child, forwardSignals(child));
  stopProgress();
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  process.stderr.write(`The packages could not be installed: npm ci exited with ${code}. Its output is above.\n`);
  process.exit(1);
}

/** Whether this process is Node 24. If not, a child runs the program. */
export const runsRequiredNode = Number(process.versions.node.split('.')[0]) >= requiredMajor;

let bundle;

/** Runs the program with Node 24: in this process if it runs Node 24, else runs the script in a child. */
export async function runProgram(args) {
  if (!runsRequiredNode)
    process.exit(await runNode([...serverFlags, ...process.argv.slice(1)], { env: serverEnvironment }));
  nodeModule.enableCompileCache(compileCache);
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
  await runNode([...serverFlags, join(root, 'bin/compile.mjs')], { stdio: 'ignore' });
}

/** Runs Node 24 with `args` and the input and output of this process. Returns its exit code. */
export async function runNode(args, options = {}) {
  const child = spawn(findNode(), args, {
    stdio: 'inherit',
    ...options,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      PATH: `${join(modules, '.bin')}:${process.env.PATH}`,
      ...options.env,
    },
  });
  return waitForExit(child, forwardSignals(child));
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
  if (statSync(installedFile).mtimeMs >= statSync(lockFile).mtimeMs && !tools) return true;
  const installed = readPackages(installedFile);
  const missing = Object.entries(readPackages(lockFile)).some(
    ([path, { version, optional, dev }]) =>
      installed[path]?.version !== version && !(installed[path] === undefined && (optional || (dev && !tools))),
  );
  // A checkout changes file times. Updates the time, so that the contents are compared only once.
  if (!missing) touch(installedFile);
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

/** Forwards signals to a child. Returns a function that stops it. */
function forwardSignals(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const listeners = signals.map((signal) => {
    const listener = () => child.kill(signal);
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
