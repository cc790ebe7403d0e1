import { useEffect } from 'preact/hooks';

const textFields = 'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])';

/** Runs actions by their keys, unless the user types a text, a dialog is open or a modifier is pressed. */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target instanceof Element && target.closest(`${textFields}, dialog`) !== null) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
      if (action === undefined) return;
      // These keys mean something else on other pages.
      event.preventDefault();
      event.stopPropagation();
      action();
    };
    addEventListener('keydown', listener, { capture: true });
    return () => removeEventListener('keydown', listener, { capture: true });
  });
}
