import { showError, showToast } from './toasts.tsx';

/** Copies a text to the clipboard, and shows a message, or the error if the browser does not allow it. */
export async function copyText(text: string, message: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(message);
  } catch (error) {
    showError(error);
  }
}
