import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { loadTexts } from '../i18n/translate.tsx';
import { me } from '../session/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { showError } from '../ui/toasts.tsx';
import type { ComposerProps } from './composer-props.ts';
import './composer-prompt.css';

/** Loads the composer with its texts. */
export async function loadComposer(): Promise<ComponentType<ComposerProps>> {
  const [module] = await Promise.all([import('./composer.tsx'), loadTexts('composer')]);
  return module.Composer;
}

interface ComposerPromptProps extends Pick<ComposerProps, 'start' | 'isInThread'> {
  readonly label: string;
}

/** A line that becomes the composer: on top of home, and below the main post of a thread. Phones have the page instead. */
export function ComposerPrompt({ label, start, isInThread = false }: ComposerPromptProps) {
  const opened = useSignal<{ readonly Composer: ComponentType<ComposerProps> } | undefined>(undefined);
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
