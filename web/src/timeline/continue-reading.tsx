import x from '@phosphor-icons/core/regular/x.svg?raw';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import { showError } from '../ui/toasts.tsx';
import { dismissOffer, offeredPosition } from './markers.ts';
import type { TimelineSource } from './sources.ts';
import { timelineOf } from './timeline.ts';
import './continue-reading.css';

/** Offers to continue where the reader left off. It is in the header of the page, where it covers no post and moves nothing. */
export function ContinueReading({ source }: { readonly source: TimelineSource }) {
  const id = offeredPosition.value;
  return (
    <div class="continue" role="status">
      {id !== undefined && (
        <>
          <button type="button" class="link small one-line" onClick={() => void openAt(source, id)}>
            {t('timeline.continue')}
          </button>
          <button type="button" class="icon-button" aria-label={t('timeline.continueDismiss')} onClick={dismissOffer}>
            <Icon svg={x} />
          </button>
        </>
      )}
    </div>
  );
}

async function openAt(source: TimelineSource, id: string): Promise<void> {
  const timeline = timelineOf(source);
  const top = document.querySelector('.page-header')?.getBoundingClientRect().bottom ?? 0;
  await timeline.openAt({ id, offset: top });
  if (timeline.state.peek() === 'failed') showError(timeline.error, () => void openAt(source, id));
  else dismissOffer();
}
