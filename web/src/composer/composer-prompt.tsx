import { useSignal } from '@preact/signals';
import { loadTexts } from '../i18n/translate.tsx';
import { me } from '../session/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { showError } from '../ui/toasts.tsx';
import type { Composer } from './composer.tsx';
import type { ComposerStart } from './start-composing.ts';
import './composer-prompt.css';

/** Loads the composer with its texts. */
export async function loadComposer(): Promise<typeof Composer> {
  const [module] = await Promise.all([import('./composer.tsx'), loadTexts('composer')]);
  return module.Composer;
}

interface ComposerPromptProps {
  readonly label: string;
  readonly start: ComposerStart;
  /** Whether the post that is replied to is shown above it. */
  readonly isInThread?: boolean;
}

/** A line that becomes the composer: on top of home, and below the main post of a thread. Phones have the page instead. */
export function ComposerPrompt({ label, start, isInThread = false }: ComposerPromptProps) {
  const opened = useSignal<{ readonly Composer: typeof Composer } | undefined>(undefined);
  const open = async (): Promise<void> => {
    try {
      opened.value = { Composer: await loadComposer() };
    } catch (error) {
      showError(error, () => void open());
    }
  };
  const Loaded = opened.value?.Composer;
  return (
    <div class="composer-prompt">
      {Loaded === undefined ? (
        <button type="button" onClick={() => void open()}>
          <Avatar account={me.value} size={40} />
          <span>{label}</span>
        </button>
      ) : (
        <Loaded start={start} isInThread={isInThread} onDone={() => (opened.value = undefined)} />
      )}
    </div>
  );
}
