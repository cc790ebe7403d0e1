import { effect, signal } from '@preact/signals';
import { instance } from '../session/session.ts';

const pageTitle = signal('');

/** What waits for the reader, shown before the title of the page: "(3) Home". */
export const titleCount = signal(0);

/** Sets the title of the page that is shown. */
export function setPageTitle(title: string): void {
  pageTitle.value = title;
}

effect(() => {
  if (pageTitle.value === '') return;
  const count = titleCount.value > 0 ? `(${titleCount.value}) ` : '';
  document.title = [`${count}${pageTitle.value}`, instance.value?.title].filter(Boolean).join(' · ');
});
