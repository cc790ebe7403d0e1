// What every command does first, on whatever Node the machine has (20 or newer) and with nothing installed:
// fetch the packages that are missing, among them Node 24, and go on under that.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Folder of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const modules = join(root, 'node_modules');
const compileCache = process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'fieldfare');
const lockFile = join(root, 'package-lock.json');
const installedFile = join(modules, '.package-lock.json');
const requiredMajor = 24;

/** Flags of Node and variables of the environment that `npm start` sets in package.json; docs/decisions/0026 says why. */
const { start } = readJson(join(root, 'package.json')).scripts;
const serverFlags = start.match(/--\S+/g) ?? [];
const serverEnvironment = Object.fromEntries((start.match(/\b[A-Z_]+=\S+/g) ?? []).map((set) => set.split('=')));

/**
 * Installs the packages when they are absent or not those of package-lock.json. Tools for working on Fieldfare count
 * only when `tools` is true. Ends the process when npm fails.
 */
export async function ensureInstalled({ tools = false } = {}) {
  if (isInstalled(tools)) return;
  const packages = Object.keys(readPackages(lockFile)).length;
  process.stderr.write('Installing packages: once, and again when they change. This takes about half a minute.\n');
  const output = [];
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [command, ...args] = [...npm, 'ci', ...(tools ? ['--include=dev'] : [])];
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const stopProgress = showProgress(packages, child.pid);
  const code = await waitForExit(child, forwardSignals(child));
  stopProgress();
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  process.stderr.write(`The packages could not be installed: npm ci ended with ${code}. Above is what it said.\n`);
  process.exit(1);
}

/** Runs a TypeScript file of the checkout with `args` under Node 24: in this process when it is one, else in another. */
export async function runTypeScript(file, args) {
  const path = join(root, file);
  if (Number(process.versions.node.split('.')[0]) >= requiredMajor) {
    nodeModule.enableCompileCache?.(compileCache);
    process.argv = [process.execPath, path, ...args];
    await import(pathToFileURL(path).href);
    return;
  }
  process.exit(await runNode([...serverFlags, path, ...args], { env: serverEnvironment }));
}

/**
 * Compiles the program in a process of its own when its sources are newer than what was compiled last. A server that
 * does it itself holds the compiler, 20 MB, for as long as it runs.
 */
export async function ensureCompiled() {
  const compiledFile = join(compileCache, 'compiled');
  if (isNewer(compiledFile, join(root, 'server'))) return;
  try {
    mkdirSync(compileCache, { recursive: true });
    writeFileSync(compiledFile, '');
  } catch {
    return; // Installed by another user, who keeps the cache.
  }
  await runNode([...serverFlags, join(root, 'server/main.ts'), '--version'], { stdio: 'ignore' });
}

/** True when the file was written after everything in the folder, and after the packages. */
function isNewer(file, folder) {
  if (!existsSync(file)) return false;
  const written = statSync(file).mtimeMs;
  const sources = readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  return [installedFile, ...sources].every((path) => statSync(path).mtimeMs < written);
}

/** Runs Node 24 with `args`, its input and output those of this process, and gives its exit code. */
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

/** Path of a Node that is new enough. Ends the process when there is none. */
export function findNode() {
  const packaged = join(modules, '.bin', 'node');
  if (existsSync(packaged)) return packaged;
  if (Number(process.versions.node.split('.')[0]) >= requiredMajor) return process.execPath;
  process.stderr.write(
    `Fieldfare needs Node ${requiredMajor} and this is Node ${process.versions.node}. None is packaged for ` +
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
  // A checkout gives every file the time of today: what is right by its content need not be compared again.
  if (!missing) touch(installedFile);
  return !missing;
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Installed by another user: it is compared each time, then.
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

/** One line that is written over on a terminal, a line every five seconds elsewhere. */
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
 * Number of packages below a node_modules folder whose files are there. npm makes the folders of all packages first, so
 * that the folders alone say nothing.
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
    return []; // Not there (yet), or a file.
  }
}

/** What a process wrote so far, for the large packages at the end; only Linux tells. */
function formatBytesWritten(pid) {
  try {
    const bytes = Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
    return `, ${Math.round(bytes / 1e6)} MB written`;
  } catch {
    return '';
  }
}

/** Passes on what a terminal or a supervisor tells this process; gives the function that ends it. */
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
