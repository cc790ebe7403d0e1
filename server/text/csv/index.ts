// Reads and writes CSV.
export { formatCsv } from './format-csv.ts';
export { NotCsvError, parseCsv, type CsvLine, type CsvRow } from './parse-csv.ts';
