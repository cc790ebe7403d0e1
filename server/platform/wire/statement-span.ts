import { currentSpan, type Span } from '../tracing/span.ts';

/** Summaries of statements by their texts, of which there are as many as names of prepared statements. */
const summaries = new Map<string, string>();
const maxSummaries = 2_000;

/**
 * Starts the span of a statement, if it belongs to a trace that is recorded. Its text has no values: those are parameters.
 * A statement without parameters is a command such as `commit`.
 */
export function startStatementSpan(text: string): Span | undefined {
  const parent = currentSpan();
  if (parent?.isRecording !== true) return undefined;
  const summary = summaryOf(text);
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary, 'db.query.text': text };
  return parent.startChild({ name: summary, kind: 'client', attributes });
}

function summaryOf(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const summary = summarize(text);
  if (summaries.size < maxSummaries) summaries.set(text, summary);
  return summary;
}

const changePattern =
  /\b(?:(insert|merge)\s+into|(delete)\s+from|(update)(?=\s+"?\w+"?\s+(?:\w+\s+)?set\b))\s+"?([a-z_]\w*)/iu;
const firstWordPattern = /^[\s(]*([a-z]+)/iu;
const readTablePattern = /\bfrom\s+"?([a-z_]\w*)"?(?!\w|\s*\()/iu;

/** Returns what a statement does, and the table that it names first: `INSERT jobs`, `SELECT accounts`, `COMMIT`. */
export function summarize(text: string): string {
  const change = changePattern.exec(text);
  const [, first = ''] = firstWordPattern.exec(text) ?? [];
  const verb = change?.[1] ?? change?.[2] ?? change?.[3] ?? (first.toLowerCase() === 'with' ? 'select' : first);
  const table = change?.[4] ?? readTablePattern.exec(text)?.[1];
  return table === undefined ? verb.toUpperCase() : `${verb.toUpperCase()} ${table}`;
}
