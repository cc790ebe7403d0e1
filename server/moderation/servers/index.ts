// Lists of domains: import with a preview, and export.
export { exportAllows, exportBlocks } from './export-domains.ts';
export { importAllows, importBlocks, type ImportOptions } from './import-domains.ts';
