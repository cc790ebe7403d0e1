import { defineConfig } from 'vite';
import { compileTextFiles } from './compile-texts.ts';

// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  root: import.meta.dirname,
  base: '/web/',
  publicDir: false,
  plugins: [compileTextFiles],
  resolve: {
    alias: { react: 'preact/compat', 'react-dom': 'preact/compat', 'react/jsx-runtime': 'preact/jsx-runtime' },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    manifest: true,
    // For the list of packages in a release.
    license: { fileName: '.vite/licences.json' },
    modulePreload: { polyfill: false },
    // Files with hashed names only: the Content-Security-Policy allows no inline data but images.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { main: 'src/main.tsx' },
      output: {
        codeSplitting: {
          groups: [
            // Home is one file: each further one would take a phone longer to request and start than to transfer.
            { name: 'home', tags: ['$initial'] },
          ],
        },
      },
    },
  },
});
