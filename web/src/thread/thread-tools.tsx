import arrowDown from '@phosphor-icons/core/regular/arrow-down.svg?raw';
import arrowUp from '@phosphor-icons/core/regular/arrow-up.svg?raw';
import article from '@phosphor-icons/core/regular/article.svg?raw';
import clock from '@phosphor-icons/core/regular/clock-clockwise.svg?raw';
import speaker from '@phosphor-icons/core/regular/speaker-high.svg?raw';
import translateIcon from '@phosphor-icons/core/regular/translate.svg?raw';
import x from '@phosphor-icons/core/regular/x.svg?raw';
import { useSignal } from '@preact/signals';
import { t } from '../i18n/translate.tsx';
import { hasVoices, readAloud } from '../status/aloud/index.ts';
import { pathOf } from '../status/index.ts';
import { isTranslatable, showOriginal, translateAll, translationOf } from '../status/translation/index.ts';
import { statusOf } from '../store/statuses.ts';
import { Icon } from '../ui/icon.tsx';
import { useSingleRun } from '../ui/use-single-run.ts';
import type { Thread } from './thread.ts';

/** So many replies fit into a window: no button leads to the newest of fewer. */
const fewReplies = 3;

/** What can be done with a thread as a whole. */
export function ThreadTools({ thread }: { readonly thread: Thread }) {
  const first = statusOf(thread.ownThread.value[0] ?? '').value;
  const replies = thread.descendants.value;
  const foreign = foreignPosts(thread);
  if (thread.state.value !== 'ready') return null;
  const isReadable = replies.length > 0 && hasVoices();
  if (first === undefined && replies.length <= fewReplies && foreign.length < 2 && !isReadable) return null;
  return (
    <div class="thread-tools">
      {first !== undefined && (
        <a class="button quiet" href={`${pathOf(first)}/read`}>
          <Icon svg={article} />
          {t('thread.read')}
        </a>
      )}
      {replies.length > fewReplies && (
        <button type="button" class="button quiet" onClick={() => thread.goTo(newestOf(replies))}>
          <Icon svg={clock} />
          {t('thread.newest')}
        </button>
      )}
      {isReadable && (
        <button
          type="button"
          class="button quiet"
          onClick={() => void readAloud([thread.id, ...thread.rows.peek().map(({ id }) => id)])}
        >
          <Icon svg={speaker} />
          {t('status.readAloud')}
        </button>
      )}
      {foreign.length > 1 && <TranslateThread ids={foreign} />}
    </div>
  );
}

/** Returns the posts of a thread that can be translated, or are. */
const foreignPosts = (thread: Thread): readonly string[] =>
  [...thread.ancestors.value, thread.id, ...thread.descendants.value].filter((id) => {
    const status = statusOf(id).value;
    return status !== undefined && isTranslatable(status);
  });

/** Translates all posts of a thread in other languages, and shows them as written again. */
function TranslateThread({ ids }: { readonly ids: readonly string[] }) {
  const untranslated = ids.filter((id) => translationOf(id).value === undefined);
  const [run, isBusy] = useSingleRun(async () => void (await translateAll(untranslated)));
  const count = untranslated.length;
  return (
    <button
      type="button"
      class="button quiet"
      disabled={isBusy}
      onClick={() => (count > 0 ? void run() : ids.forEach(showOriginal))}
    >
      <Icon svg={translateIcon} />
      {count > 0 ? t('thread.translate', { count }) : t('thread.showOriginals')}
    </button>
  );
}

const newestOf = (ids: readonly string[]): string =>
  ids.reduce((newest, id) => (BigInt(id) > BigInt(newest) ? id : newest), ids[0] ?? '');

/** Leads from each new reply to the next one. It floats above the replies, so that nothing moves. */
export function NewReplies({ thread }: { readonly thread: Thread }) {
  /** Among the new replies in the order of the page; -1 before the first step. */
  const at = useSignal(-1);
  const isDismissed = useSignal(0);
  const newIds = new Set(thread.newIds.value);
  const ids = thread.rows.value.filter(({ id }) => newIds.has(id)).map(({ id }) => id);
  const count = ids.length;
  const step = (by: 1 | -1): void => {
    at.value = (Math.max(at.peek(), by === 1 ? -1 : 0) + by + count) % count;
    thread.goTo(ids[at.peek()] ?? '');
  };
  return (
    <div class="new-replies" role="status">
      {count > isDismissed.value && (
        <div class="new-replies-bar">
          <button
            type="button"
            class="icon-button"
            data-key=","
            aria-label={t('thread.previousNew')}
            onClick={() => step(-1)}
          >
            <Icon svg={arrowUp} />
          </button>
          <button type="button" class="link small" data-key="." onClick={() => step(1)}>
            {at.value < 0
              ? t('thread.newReplies', { count })
              : t('thread.newPosition', { index: at.value + 1, total: count })}
          </button>
          <button type="button" class="icon-button" aria-label={t('thread.nextNew')} onClick={() => step(1)}>
            <Icon svg={arrowDown} />
          </button>
          <button
            type="button"
            class="icon-button"
            aria-label={t('app.close')}
            onClick={() => (isDismissed.value = count)}
          >
            <Icon svg={x} />
          </button>
        </div>
      )}
    </div>
  );
}
