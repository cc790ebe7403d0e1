import { effect, signal } from '@preact/signals';

const key = 'home-tab';

/** The id of the tab of home that this window shows; it is kept when the window is loaded anew. */
export const shownTabId = signal(sessionStorage.getItem(key) ?? undefined);

effect(() => {
  if (shownTabId.value !== undefined) sessionStorage.setItem(key, shownTabId.value);
});
