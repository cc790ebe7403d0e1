import { t } from '../i18n/translate.tsx';
import { idsOf } from './timeline-items.ts';
import type { Timeline } from './timeline.ts';

/** The button that shows the posts that wait. It floats above the others, so that nothing moves. */
export function WaitingButton({ timeline }: { readonly timeline: Timeline }) {
  const count = idsOf(timeline.waiting.value).length;
  return (
    <div class="waiting-button" role="status">
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
    </div>
  );
}
