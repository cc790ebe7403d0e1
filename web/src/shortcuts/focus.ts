/** Whether keys are text: the focus is in a field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
}

/** Whether the browser uses a key for the focused control: Enter presses a button or follows a link. */
export function movesNatively({ key, target }: KeyboardEvent): boolean {
  return (
    key === 'Enter' && target instanceof HTMLElement && target.closest('a, button, summary, input, label') !== null
  );
}
