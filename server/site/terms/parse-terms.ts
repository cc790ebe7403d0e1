import { validationFailed } from '../../platform/http/http-errors.ts';
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
  if (safe === '') throw validationFailed("Content can't be blank");
  if (safe.length > maxContentLength)
    throw validationFailed(`Content is too long (maximum is ${maxContentLength} characters)`);
  const changes = cleanText(changelog).trim();
  if (changes.length > maxChangelogLength)
    throw validationFailed(`Changelog is too long (maximum is ${maxChangelogLength} characters)`);
  return { content: safe, changelog: changes };
}

/** Throws 422 unless it is a day that has not passed. */
export function assertEffectiveDate(effectiveDate: string, now: Date): void {
  const instant = new Date(`${effectiveDate}T00:00:00.000Z`);
  const isDay = !Number.isNaN(instant.getTime()) && dayOf(instant) === effectiveDate;
  if (!isDay) throw validationFailed(`Effective date is not a date such as 2026-12-31: ${effectiveDate}`);
  if (effectiveDate < dayOf(now)) throw validationFailed('Effective date must not be in the past');
}
