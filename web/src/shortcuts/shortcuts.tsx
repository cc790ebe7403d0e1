import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { goBack, openPath, setRouter } from '../navigate.ts';
import { loadTexts } from '../i18n/translate.tsx';
import { peekAtFocus } from '../peek/index.ts';
import { isStaff } from '../session/permissions.ts';
import { me } from '../session/session.ts';
import { hasVoices, toggleReading } from '../status/aloud/index.ts';
import { isTranslatable, showOriginal, translate, translationOf } from '../status/translation/index.ts';
import { statusOf } from '../store/statuses.ts';
import { hasLayers } from '../ui/layers.ts';
import { openDialog } from '../ui/open-dialog.tsx';
import { showError } from '../ui/toasts.tsx';
import { undoOffers } from '../ui/undo.ts';
import { isTyping, movesNatively } from './focus.ts';
import { focusedPost, moveFocus } from './focused-post.ts';
import { KeyReader, type Shortcut } from './keys.ts';

/** Makes Mastodon's keyboard shortcuts work on every page, and clicks beside the controls of a post open it. */
export function Shortcuts() {
  const { route } = useLocation();
  useEffect(() => setRouter(route), [route]);
  useEffect(() => {
    const reader = new KeyReader();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isPaletteKey(event) && !hasLayers()) {
        event.preventDefault();
        void openPalette();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || hasLayers() || movesNatively(event)) return;
      const shortcut = reader.read(event.key, event.timeStamp);
      if (shortcut === undefined) return;
      if (run(shortcut)) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    addEventListener('click', openClickedPost);
    return () => {
      removeEventListener('keydown', onKeyDown);
      removeEventListener('click', openClickedPost);
    };
  }, []);
  return null;
}

/** Does what a shortcut stands for. Returns whether it could. */
function run(shortcut: Shortcut): boolean {
  switch (shortcut.kind) {
    case 'move':
      return moveFocus(shortcut.step);
    case 'page':
      openPath(shortcut.path);
      return true;
    case 'profile':
      openPath(`/@${me.peek().acct}`);
      return true;
    case 'post':
      return clickIn(focusedPost(), shortcut.control);
    case 'fold':
      return clickIn(focusedPost()?.parentElement ?? null, 'c');
    case 'peek':
      return peekAtFocus(focusedPost());
    case 'mention':
    case 'quote':
    case 'translate':
    case 'read-aloud':
      return actOnPost(shortcut.kind);
    case 'search':
      openSearch();
      return true;
    case 'undo':
      return undoOffers.undo();
    case 'palette':
      void openPalette();
      return true;
    case 'new-posts':
      return clickIn(document.querySelector<HTMLElement>('#content'), shortcut.control);
    case 'back':
      goBack();
      return true;
    case 'top':
      scrollTo({ top: 0 });
      return true;
    case 'help':
      void openHelp();
      return true;
  }
}

function clickIn(container: HTMLElement | null, control: string): boolean {
  const element = container?.querySelector<HTMLElement>(`[data-key="${CSS.escape(control)}"]`);
  element?.click();
  return element !== null && element !== undefined;
}

function actOnPost(kind: 'mention' | 'quote' | 'translate' | 'read-aloud'): boolean {
  const status = statusOf(focusedPost()?.dataset['status'] ?? '').peek();
  if (status === undefined) return false;
  if (kind === 'mention') openPath(`/publish?text=${encodeURIComponent(`@${status.account.acct} `)}`);
  else if (kind === 'quote') openPath(`/publish?quote=${status.id}`);
  else if (kind === 'read-aloud') return hasVoices() && (toggleReading(status.id), true);
  else if (translationOf(status.id).peek() !== undefined) showOriginal(status.id);
  else if (isTranslatable(status)) void translate(status.id);
  else return false;
  return true;
}

/** Moves the focus to the search that the window shows; without one, the page of the search is opened, which does it. */
function openSearch(): void {
  const fields = [...document.querySelectorAll<HTMLInputElement>('.search-box input')];
  const shown = fields.find((field) => field.getClientRects().length > 0);
  if (shown === undefined) openPath('/search');
  else shown.select();
}

/** Ctrl-K, on a Mac Command-K; also while one types. */
const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;

async function openPalette(): Promise<void> {
  try {
    const [{ Palette }] = await Promise.all([
      import('../palette/index.ts'),
      loadTexts('discovery'),
      loadTexts('preferences'),
      isStaff() ? loadTexts('moderation') : undefined,
    ]);
    openDialog((close) => <Palette onClose={close} />);
  } catch (error) {
    showError(error, () => void openPalette());
  }
}

async function openHelp(): Promise<void> {
  try {
    const [{ ShortcutHelp }] = await Promise.all([import('./shortcut-help.tsx'), loadTexts('reading')]);
    openDialog((close) => <ShortcutHelp onClose={close} />);
  } catch (error) {
    showError(error, () => void openHelp());
  }
}

const controls =
  'a, button, input, textarea, select, label, summary, .player, video, audio, iframe, [role="menu"], .dialog';

/** Opens a post when it is clicked beside its links and buttons, unless text is selected. */
function openClickedPost(event: MouseEvent): void {
  if (!(event.target instanceof Element) || event.target.closest(controls) !== null) return;
  if (event.button !== 0 || getSelection()?.isCollapsed === false) return;
  // The click closes a menu.
  if (hasLayers()) return;
  const quoted = event.target.closest('.quote')?.querySelector<HTMLElement>('.status-author');
  if (quoted !== null && quoted !== undefined) quoted.click();
  else clickIn(event.target.closest<HTMLElement>('.status'), 'enter');
}
