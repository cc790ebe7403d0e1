import squares from '@phosphor-icons/core/regular/squares-four.svg?raw';
import { t } from '../../i18n/translate.tsx';
import { changeSettings } from '../../store/change-settings.ts';
import { Icon } from '../../ui/icon.tsx';
import { showError } from '../../ui/toasts.tsx';
import type { TimelineSource } from '../sources.ts';
import { showsMedia, withMediaView } from './media-view.ts';
import './media-tiles.css';

/** Chooses between the pictures and the posts of a timeline. */
export function MediaToggle({ source }: { readonly source: TimelineSource }) {
  const isOn = showsMedia(source);
  const set = (isWanted: boolean): void =>
    void changeSettings(withMediaView(source.key, isWanted), (error) => showError(error, () => set(isWanted)));
  return (
    <button
      type="button"
      class="icon-button media-toggle"
      aria-pressed={isOn}
      aria-label={t('mediaView.show')}
      title={t('mediaView.show')}
      onClick={() => set(!isOn)}
    >
      <Icon svg={squares} />
    </button>
  );
}
