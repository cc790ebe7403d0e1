import { invalidField } from '../../platform/http/http-errors.ts';
import { cleanText, sanitizeHtml } from '../../text/index.ts';
import { dayOf } from './terms-of-service.ts';

/** A version of the terms of service as staff write it. */
export interface TermsInput {
  /** HTML. */
  readonly content: string;
  /** What changed, as plain text. */
  readonly changelog?: string | undefined;
  /** First day on which it applies, `YYYY-MM-DD` in UTC. Default: the day of its publication. */
  readonly effectiveDate?: string | undefined;
}

/** Characters. */
const maxContentLength = 100_000;
const maxChangelogLength = 10_000;

/** Returns the texts as stored. Throws 422 if the content is empty, or a text too long. */
export function parseTermsTexts({ content, changelog = '' }: TermsInput): { content: string; changelog: string } {
  const safe = sanitizeHtml(content, Infinity).trim();
  if (safe === '') throw invalidField('content', 'problems.blank');
  if (safe.length > maxContentLength) throw invalidField('content', 'problems.tooLong', { max: maxContentLength });
  const changes = cleanText(changelog).trim();
  if (changes.length > maxChangelogLength)
    throw invalidField('changelog', 'problems.tooLong', { max: maxChangelogLength });
  return { content: safe, changelog: changes };
}

/** Throws 422 unless it is a day that has not passed. */
export function assertEffectiveDate(effectiveDate: string, now: Date): void {
  const instant = new Date(`${effectiveDate}T00:00:00.000Z`);
  const isDay = !Number.isNaN(instant.getTime()) && dayOf(instant) === effectiveDate;
  if (!isDay) throw invalidField('effective_date', 'problems.notADate', { value: effectiveDate });
  if (effectiveDate < dayOf(now)) throw invalidField('effective_date', 'problems.inPast');
}
