import x from '@phosphor-icons/core/regular/x.svg?raw';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import { showError } from '../ui/toasts.tsx';
import { dismissOffer, offeredPosition } from './markers.ts';
import { idsOf } from './timeline-items.ts';
import type { Timeline } from './timeline.ts';

/** What floats above the posts, so that nothing moves: "n new posts" and "Continue where you left off". */
export function FloatingButtons({ timeline }: { readonly timeline: Timeline }) {
  const count = idsOf(timeline.waiting.value).length;
  return (
    <div class="floating-buttons" role="status">
      {count > 0 && (
        <button
          type="button"
          class="button"
          data-key="."
          onClick={() => {
            timeline.showWaiting();
            scrollTo({ top: 0 });
          }}
        >
          {t('timeline.newPosts', { count })}
        </button>
      )}
      {timeline.source.marker !== undefined && offeredPosition.value !== undefined && (
        <Continue timeline={timeline} id={offeredPosition.value} />
      )}
    </div>
  );
}

function Continue({ timeline, id }: { readonly timeline: Timeline; readonly id: string }) {
  const open = async (): Promise<void> => {
    const top = document.querySelector('.page-header')?.getBoundingClientRect().bottom ?? 0;
    await timeline.openAt({ id, offset: top });
    if (timeline.state.peek() === 'failed') showError(timeline.error, () => void open());
    else dismissOffer();
  };
  return (
    <div class="continue">
      <button type="button" class="link" onClick={() => void open()}>
        {t('timeline.continue')}
      </button>
      <button type="button" class="icon-button" aria-label={t('timeline.continueDismiss')} onClick={dismissOffer}>
        <Icon svg={x} />
      </button>
    </div>
  );
}
