import { html, type Html } from '../platform/http/html.ts';

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A moment in words; `date` is an ISO 8601 time. */
export const showDate = (date: string): Html =>
  html`<time datetime="${date}">${moment.format(new Date(date))} UTC</time>`;

/** The month of an ISO 8601 time in words, such as "November 2026". */
export const showMonth = (date: string): Html => html`<time datetime="${date}">${month.format(new Date(date))}</time>`;
