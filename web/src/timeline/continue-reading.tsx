import arrow from '@phosphor-icons/core/regular/arrow-line-down.svg?raw';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import { showError } from '../ui/toasts.tsx';
import { dismissOffer, isContinueOffered, leftOffAt } from './markers/markers.ts';
import type { TimelineSource } from './sources.ts';
import { timelineOf } from './timeline.ts';

/** The way to where the reader left off, while it is offered. It is in the header of the page, where it moves nothing. */
export function ContinueReading({ source }: { readonly source: TimelineSource }) {
  const id = leftOffAt.value;
  if (id === undefined || !isContinueOffered.value) return null;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={t('timeline.continue')}
      title={t('timeline.continue')}
      onClick={() => void openAt(source, id)}
    >
      <Icon svg={arrow} />
    </button>
  );
}

/** Space below the header for the bar that says where the reader left off. */
const barPx = 24;

async function openAt(source: TimelineSource, id: string): Promise<void> {
  const timeline = timelineOf(source);
  const top = document.querySelector('.page-header')?.getBoundingClientRect().bottom ?? 0;
  await timeline.openAt({ id, offset: top + barPx });
  if (timeline.state.peek() === 'failed') showError(timeline.error, () => void openAt(source, id));
  else dismissOffer();
}
