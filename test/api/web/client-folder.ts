import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A small build of a web client in a folder of its own, as Vite writes it. */
export class ClientFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'ff-client-'));

  constructor() {
    mkdirSync(join(this.path, '.vite'));
    mkdirSync(join(this.path, 'assets'));
    this.write('sw.js', 'self.skipWaiting();');
    this.write('assets/api-11aa.js', 'export const api = 1;');
    this.write('assets/main-33cc.css', 'body{color:red}');
    this.write('assets/icons-44dd.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    this.write('assets/notes.txt', 'not a file of the client');
    writeFileSync(`${this.path}.txt`, 'outside');
    this.build('main-22bb');
  }

  /** Writes the entry with its compressed copies, and a manifest that names it. */
  build(name: string): void {
    const script = `import './api-11aa.js'; // ${'x'.repeat(2_000)}`;
    this.write(`assets/${name}.js`, script);
    writeFileSync(join(this.path, `assets/${name}.js.br`), brotliCompressSync(script));
    writeFileSync(join(this.path, `assets/${name}.js.gz`), gzipSync(script));
    this.write(
      '.vite/manifest.json',
      JSON.stringify({
        '_api-11aa.js': { file: 'assets/api-11aa.js', name: 'api', imports: ['src/main.tsx'] },
        'src/main.tsx': {
          file: `assets/${name}.js`,
          isEntry: true,
          imports: ['_api-11aa.js'],
          dynamicImports: ['src/moderation.tsx'],
          css: ['assets/main-33cc.css'],
        },
        '../locales/en/client/core.json': { file: 'assets/core-66ff.js', isDynamicEntry: true },
        '../locales/de/client/core.json': { file: 'assets/core-77aa.js', isDynamicEntry: true },
        'src/moderation.tsx': { file: 'assets/moderation-55ee.js', isDynamicEntry: true },
      }),
    );
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
    rmSync(`${this.path}.txt`);
  }
}
