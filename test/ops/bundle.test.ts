import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const binFolder = join(import.meta.dirname, '../../bin/bundle');
const importFrom = (name: string): string => pathToFileURL(join(binFolder, name)).href;

/** A program of two modules that imports an ECMAScript package, a CommonJS package and a JSON file. */
class Program {
  #folder = mkdtempSync(join(tmpdir(), 'ff-bundle-'));

  constructor() {
    onTestFinished(() => rmSync(this.#folder, { recursive: true, force: true }));
    const files = {
      'package.json': '{ "type": "module", "name": "program" }',
      'node_modules/.installed': 'once',
      'node_modules/new/package.json': '{ "type": "module", "exports": "./main.js" }',
      'node_modules/new/main.js': `export const fromNew = 'new';`,
      'node_modules/old/package.json': '{ "main": "./main.js" }',
      'node_modules/old/main.js': `exports.fromOld = 'old ' + require('./part');`,
      'node_modules/old/part.js': `module.exports = 'part';`,
      'data.json': '{ "value": "json" }',
      'greet.ts': `export interface Named { name: string }

export const greet = ({ name }: Named): string => 'hello ' + name;
export const fail = (): never => {
  throw new Error('on purpose');
};`,
      'late.ts': `export const late: string = 'late';`,
      'main.ts': `
        import { basename } from 'node:path';
        import { fromNew } from 'new';
        import { fromOld } from 'old';
        import data from './data.json' with { type: 'json' };
        import { fail, greet } from './greet.ts';
        const { late } = await import('./late.ts');
        if (process.argv[2] === 'fail') fail();
        console.log([greet({ name: 'you' }), fromNew, fromOld, data.value, late, basename(import.meta.filename)].join(', '));`,
    };
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  write(name: string, content: string): void {
    const file = join(this.#folder, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  move(): void {
    const target = join(mkdtempSync(join(tmpdir(), 'ff-bundle-')), 'moved here');
    onTestFinished(() => rmSync(join(target, '..'), { recursive: true, force: true }));
    renameSync(this.#folder, target);
    this.#folder = target;
  }

  /** Writes the bundle, without running the program. Returns what went wrong. */
  bundle(): string {
    return this.#run(`
      import { writeBundle } from '${importFrom('write-bundle.mjs')}';
      const [, root] = process.argv;
      const installed = root + '/node_modules/.installed';
      await writeBundle({ root, folder: root + '/bundle', installed, groups: [['main.ts']] });`);
  }

  /** Runs the program from the bundle if that is current. Returns the output, or the error. */
  run(argument = ''): string {
    return this.#run(
      `
      import { importBundle, openBundle } from '${importFrom('open-bundle.mjs')}';
      const [, root] = process.argv;
      const bundle = openBundle(root, root + '/bundle');
      console.log(bundle === undefined ? 'from files' : 'from the bundle');
      await (bundle === undefined ? import('${pathToFileURL(this.path('main.ts')).href}') : importBundle(bundle));`,
      argument,
    );
  }

  #run(script: string, argument = ''): string {
    const args = ['--input-type=module', '--eval', script, this.#folder, argument];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return stderr.trim() || stdout.trim();
  }
}

const output = 'hello you, new, old part, json, late, main.ts';

test('a bundled program does the same without its own files and those of modern packages', () => {
  const program = new Program();
  expect([program.bundle(), program.run()]).toEqual(['', `from the bundle\n${output}`]);
  // Same size and time: only what is in the bundle can still print the same.
  for (const name of ['data.json', 'greet.ts', 'late.ts', 'main.ts', 'node_modules/new/main.js']) {
    const { size, atime, mtime } = statSync(program.path(name));
    program.write(name, '!'.repeat(size));
    utimesSync(program.path(name), atime, mtime);
  }
  expect(program.run()).toBe(`from the bundle\n${output}`);
});

test('a bundled program may be moved with its folder, also below a name with spaces', () => {
  const program = new Program();
  program.bundle();
  program.move();
  expect(program.run()).toBe(`from the bundle\n${output}`);
  expect(program.run('fail')).toMatch(/at fail \(file:\S+moved%20here\/greet\.ts:5\)/);
});

test('the stack of an error of a bundled program names files and lines of the sources', () => {
  const program = new Program();
  program.bundle();
  expect(program.run('fail')).toMatch(
    /Error: on purpose\n {4}at fail \(file:\S+\/greet\.ts:5\)\n {4}at file:\S+\/main\.ts:8\n/,
  );
});

test('three builds of a bundle are kept, for servers that still run them', () => {
  const program = new Program();
  for (let build = 1; build <= 4; build++) {
    program.write('late.ts', `export const late = 'late'; // ${'x'.repeat(build)}`);
    program.bundle();
  }
  expect(readdirSync(program.path('bundle')).toSorted()).toEqual(['build-0', 'build-1', 'build-2', 'bundle.json']);
  expect(program.run()).toBe(`from the bundle\n${output}`);
});

test('a bundle that another process wrote meanwhile is kept, because it may be running', () => {
  const program = new Program();
  program.bundle();
  program.bundle();
  expect(readdirSync(program.path('bundle')).toSorted()).toEqual(['build-1', 'bundle.json']);
});

function cutOff(file: string): void {
  truncateSync(file, statSync(file).size - 1);
}

test.for([
  ['a module', (program: Program) => program.write('late.ts', `export const late = 'late'; // Other.`)],
  ['the installed packages', (program: Program) => program.write('node_modules/.installed', 'again')],
  ['the name of the package', (program: Program) => program.write('package.json', '{ "type": "module" }')],
  ['the time of a module', (program: Program) => utimesSync(program.path('late.ts'), 1e9, 1e9)],
  ['the list of the bundle, which is incomplete', (program: Program) => cutOff(program.path('bundle/bundle.json'))],
  ['a file of the bundle, which is incomplete', (program: Program) => cutOff(program.path('bundle/build-1/entry.mjs'))],
] as const)('a bundle is not used after a change of %s', ([, change]) => {
  const program = new Program();
  program.bundle();
  change(program);
  expect(program.run()).toBe(`from files\n${output}`);
});

test('a bundle is not used after a module was deleted', () => {
  const program = new Program();
  program.bundle();
  rmSync(program.path('late.ts'));
  expect(program.run()).toContain('late.ts');
});
