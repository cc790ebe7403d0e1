import { html, type Html } from '../../platform/http/html.ts';

const dateTimeFormat = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Renders an ISO 8601 time. */
export const renderDate = (date: string): Html =>
  html`<time datetime="${date}">${dateTimeFormat.format(new Date(date))} UTC</time>`;

/** Renders the month of an ISO 8601 time, such as "November 2026". */
export const renderMonth = (date: string): Html =>
  html`<time datetime="${date}">${monthFormat.format(new Date(date))}</time>`;
