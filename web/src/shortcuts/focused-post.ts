const posts = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('#content article[tabindex]')];

/** Returns the post that has the focus, or contains what has it. */
export const focusedPost = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('#content article[tabindex]') ?? null;

/** Moves the focus to the next or previous post; to the first visible one if none has it. Returns whether there is one. */
export function moveFocus(step: 1 | -1): boolean {
  const all = posts();
  const current = focusedPost();
  const target = current === null ? firstVisible(all) : all[all.indexOf(current) + step];
  if (target === undefined) return all.length > 0;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  return true;
}

function firstVisible(all: readonly HTMLElement[]): HTMLElement | undefined {
  const top = document.querySelector('.page-header')?.getBoundingClientRect().bottom ?? 0;
  return all.find((post) => post.getBoundingClientRect().top >= top - 1) ?? all.at(-1);
}
