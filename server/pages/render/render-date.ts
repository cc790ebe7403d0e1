import { html, type Html } from '../../platform/http/html.ts';
import type { Translator } from '../../platform/i18n/translator.ts';

const dateTimeOptions = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
const monthOptions = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;

/** Renders an ISO 8601 time. */
export const renderDate = ({ locale }: Translator, date: string): Html =>
  html`<time datetime="${date}">${new Date(date).toLocaleString(locale, dateTimeOptions)} UTC</time>`;

/** Renders the month of an ISO 8601 time, such as "November 2026". */
export const renderMonth = ({ locale }: Translator, date: string): Html =>
  html`<time datetime="${date}">${new Date(date).toLocaleString(locale, monthOptions)}</time>`;
