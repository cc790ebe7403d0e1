import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
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

const packModule = pathToFileURL(join(import.meta.dirname, '../../bin/module-pack.mjs')).href;

/** A program of two modules that imports an ECMAScript package, a CommonJS package and a JSON file. */
class Program {
  readonly #folder = mkdtempSync(join(tmpdir(), 'ff-pack-'));
  readonly packFile = join(this.#folder, 'pack');

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
      'greet.ts': `export const greet = (name: string): string => 'hello ' + name;`,
      'late.ts': `export const late: string = 'late';`,
      'main.ts': `
        import { basename } from 'node:path';
        import { fromNew } from 'new';
        import { fromOld } from 'old';
        import data from './data.json' with { type: 'json' };
        import { greet } from './greet.ts';
        const { late } = await import('./late.ts');
        console.log([greet('you'), fromNew, fromOld, data.value, late, basename(import.meta.filename)].join(', '));`,
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

  files(): string[] {
    return readdirSync(this.#folder);
  }

  /** Runs the program and writes the pack at its end. Returns the output. */
  record(): string {
    return this.#run(`
      import { recordModules } from '${packModule}';
      const write = recordModules(process.argv[1], process.argv[1] + '/node_modules/.installed');
      process.on('exit', () => write(process.argv[2]));`);
  }

  /** Runs the program with the pack if that is current. Returns the output. */
  run(): string {
    return this.#run(`
      import { openPack, usePack } from '${packModule}';
      const pack = openPack(process.argv[1], process.argv[2]);
      console.log(pack === undefined ? 'from files' : 'from the pack');
      if (pack !== undefined) usePack(pack);`);
  }

  #run(script: string): string {
    const main = `${script}\nawait import('${pathToFileURL(this.path('main.ts')).href}');`;
    const args = ['--input-type=module', '--eval', main, this.#folder, this.packFile];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return stdout.trim() || stderr;
  }
}

const output = 'hello you, new, old part, json, late, main.ts';

test('a program that is loaded from its pack does the same, without its own files and those of modern packages', () => {
  const program = new Program();
  expect([program.record(), program.run()]).toEqual([output, `from the pack\n${output}`]);
  expect(program.files().filter((name) => name.startsWith('pack.'))).toEqual([]);
  // Same size and time: only what is in the pack can still print the same.
  for (const name of ['greet.ts', 'late.ts', 'main.ts', 'node_modules/new/main.js']) {
    const { size, atime, mtime } = statSync(program.path(name));
    program.write(name, '!'.repeat(size));
    utimesSync(program.path(name), atime, mtime);
  }
  expect(program.run()).toBe(`from the pack\n${output}`);
});

function cutOff({ packFile }: Program): void {
  truncateSync(packFile, statSync(packFile).size - 1);
}

test.for([
  ['a module', (program: Program) => program.write('greet.ts', `export const greet = () => 'hello you';`)],
  ['the installed packages', (program: Program) => program.write('node_modules/.installed', 'again')],
  ['the name of the package', (program: Program) => program.write('package.json', '{ "type": "module" }')],
  ['the time of a module', (program: Program) => utimesSync(program.path('late.ts'), 1e9, 1e9)],
  ['the pack, whose list is incomplete', (program: Program) => truncateSync(program.packFile, 100)],
  ['the pack, whose modules are incomplete', cutOff],
] as const)('a pack is not used after a change of %s', ([, change]) => {
  const program = new Program();
  program.record();
  change(program);
  expect(program.run()).toBe(`from files\n${output}`);
});

test('a pack is not used after a module was deleted', () => {
  const program = new Program();
  program.record();
  rmSync(program.path('late.ts'));
  expect(program.run()).toMatch(/^from files/);
});
