import { isId } from '../../platform/ids.ts';
import type { ReportId } from '../../reports/index.ts';
import { CliError, isNotFound } from '../cli-error.ts';

/** Parses the id of a report. Throws CliError if it is none. */
export function parseReportId(text: string): ReportId {
  if (!isId(text)) throw new CliError(`Not the id of a report: ${text}. See: fieldfare report list`);
  return text;
}

/** Turns a 404 into an error that names the report. */
export const rethrowUnknown =
  (id: ReportId) =>
  (error: unknown): never => {
    if (isNotFound(error)) throw new CliError(`Unknown report: ${id}`);
    throw error;
  };
