import house from '@phosphor-icons/core/regular/house.svg?raw';
import pencil from '@phosphor-icons/core/regular/feather.svg?raw';
import users from '@phosphor-icons/core/regular/users-three.svg?raw';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { loadTexts, t } from '../i18n/translate.tsx';
import { describeVisibility } from '../status/index.ts';
import { changeSettings } from '../store/change-settings.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { hasLayers } from '../ui/layers.ts';
import { openDialog } from '../ui/open-dialog.tsx';
import { showError } from '../ui/toasts.tsx';
import './tour.css';

/** Opens the tour on home, unless the reader went on or opened something meanwhile. It is not offered again. */
export async function offerTour(): Promise<void> {
  try {
    await loadTourTexts();
  } catch {
    return;
  }
  if (location.pathname !== '/' || hasLayers()) return;
  showTour();
  // If the server does not store it, the next visit offers the tour again.
  await changeSettings(
    () => ({ hasSeenTour: true }),
    () => {},
  );
}

/** Opens the tour, which the reader chose. */
export async function openTour(): Promise<void> {
  try {
    await loadTourTexts();
    showTour();
  } catch (error) {
    showError(error, () => void openTour());
  }
}

const loadTourTexts = (): Promise<unknown> => Promise.all([loadTexts('discovery'), loadTexts('composer')]);

const showTour = (): void => openDialog((close) => <Tour onClose={close} />);

interface TourStep {
  readonly icon: string;
  readonly title: string;
  readonly content: ComponentChildren;
}

/** The steps by which a newcomer learns where posts come from, how to find people, and who sees what one writes. */
const listSteps = (): readonly TourStep[] => [
  {
    icon: house,
    title: t('tour.posts'),
    content: (
      <>
        <p>{t('tour.postsText')}</p>
        <p>{t('tour.postsMore', { live: t('nav.live') })}</p>
      </>
    ),
  },
  {
    icon: users,
    title: t('tour.people'),
    content: (
      <>
        <p>{t('tour.peopleText', { explore: t('nav.explore') })}</p>
        <p>{t('tour.peopleMore', { address: t('welcome.addressExample') })}</p>
      </>
    ),
  },
  {
    icon: pencil,
    title: t('tour.writing'),
    content: (
      <>
        <p>{t('tour.writingText', { publish: t('nav.publish') })}</p>
        <dl>
          <Visibility value="public" hint={t('composer.publicHint')} />
          <Visibility value="unlisted" hint={t('composer.unlistedHint')} />
          <Visibility value="private" hint={t('composer.privateHint')} />
          <Visibility value="direct" hint={t('composer.directHint')} />
        </dl>
      </>
    ),
  },
];

function Visibility({
  value,
  hint,
}: {
  readonly value: Parameters<typeof describeVisibility>[0];
  readonly hint: string;
}) {
  return (
    <div>
      <dt>{describeVisibility(value)}</dt>
      <dd class="soft small">{hint}</dd>
    </div>
  );
}

function Tour({ onClose }: { readonly onClose: () => void }) {
  const index = useSignal(0);
  const steps = listSteps();
  const step = steps[index.value];
  const isLast = index.value === steps.length - 1;
  return (
    <Dialog
      title={t('tour.title')}
      size="small"
      onClose={onClose}
      actions={
        <>
          <button
            type="button"
            class="button quiet"
            onClick={() => (index.value === 0 ? onClose() : (index.value -= 1))}
          >
            {index.value === 0 ? t('tour.skip') : t('tour.back')}
          </button>
          <button type="button" class="button" autofocus onClick={() => (isLast ? onClose() : (index.value += 1))}>
            {isLast ? t('tour.done') : t('tour.next')}
          </button>
        </>
      }
    >
      <div class="tour" aria-live="polite">
        <p class="soft small">{t('tour.progress', { step: index.value + 1, count: steps.length })}</p>
        <h3>
          <Icon svg={step?.icon ?? ''} />
          {step?.title}
        </h3>
        {step?.content}
      </div>
    </Dialog>
  );
}
