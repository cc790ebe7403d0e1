import { defineConfig } from 'vite';

/** Builds dist/sw.js: one file, because not every browser runs service workers that import others. */
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    target: 'es2023',
    emptyOutDir: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { sw: 'src/offline/service-worker.ts' },
      output: { format: 'iife', entryFileNames: 'sw.js' },
    },
  },
});
