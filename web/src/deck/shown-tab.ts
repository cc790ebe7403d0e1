import { effect, signal } from '@preact/signals';

const key = 'home-tab';

/** The id of the tab of home that this window shows. A reload keeps it. */
export const shownTabId = signal(sessionStorage.getItem(key) ?? undefined);

effect(() => {
  if (shownTabId.value !== undefined) sessionStorage.setItem(key, shownTabId.value);
});
