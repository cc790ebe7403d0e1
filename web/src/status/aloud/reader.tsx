import next from '@phosphor-icons/core/regular/skip-forward.svg?raw';
import speaker from '@phosphor-icons/core/regular/speaker-high.svg?raw';
import stop from '@phosphor-icons/core/regular/stop.svg?raw';
import { type ReadonlySignal, signal } from '@preact/signals';
import { render } from 'preact';
import { locale, t } from '../../i18n/translate.tsx';
import { statusOf } from '../../store/statuses.ts';
import { nameOf } from '../../ui/display-name.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { phrasesOf } from './phrases-of.ts';
import { splitPhrases, voiceFor, type Phrase } from './speech.ts';
import './reading-bar.css';

/** Reads posts aloud, with a bar to stop and to go to the next one. Returns the function that ends it. */
export function startReading(ids: readonly string[], onEnd: () => void): () => void {
  const index = signal(0);
  const host = document.createElement('div');
  let isEnded = false;
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    removeEventListener('pagehide', end);
    speechSynthesis.cancel();
    render(null, host);
    host.remove();
    onEnd();
  };
  const readFrom = (target: number): void => {
    speechSynthesis.cancel();
    index.value = target;
    const status = statusOf(ids[target] ?? '').peek();
    if (target >= ids.length) return end();
    // It was deleted meanwhile.
    if (status === undefined) return readFrom(target + 1);
    say(splitPhrases(phrasesOf(status)), {
      isCurrent: () => !isEnded && index.peek() === target,
      onEnd: () => readFrom(target + 1),
      onError: () => {
        end();
        showToast(t('aloud.failed'), { kind: 'error' });
      },
    });
  };
  document.body.append(host);
  render(<ReadingBar ids={ids} index={index} onNext={() => readFrom(index.peek() + 1)} onStop={end} />, host);
  addEventListener('pagehide', end);
  readFrom(0);
  return end;
}

interface Speaking {
  /** Whether these words are still wanted. */
  readonly isCurrent: () => boolean;
  readonly onEnd: () => void;
  readonly onError: () => void;
}

/** Says one phrase after another. */
function say([first, ...others]: readonly Phrase[], speaking: Speaking): void {
  if (!speaking.isCurrent()) return;
  if (first === undefined) return speaking.onEnd();
  const { text, language = locale.peek() } = first;
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = language;
  utterance.voice = voiceFor(speechSynthesis.getVoices(), language) ?? null;
  utterance.addEventListener('end', () => say(others, speaking));
  utterance.addEventListener('error', ({ error }) => {
    // The reader ended it or went on.
    if (error !== 'canceled' && error !== 'interrupted' && speaking.isCurrent()) speaking.onError();
  });
  speechSynthesis.speak(utterance);
}

interface ReadingBarProps {
  readonly ids: readonly string[];
  readonly index: ReadonlySignal<number>;
  readonly onNext: () => void;
  readonly onStop: () => void;
}

function ReadingBar({ ids, index, onNext, onStop }: ReadingBarProps) {
  const status = statusOf(ids[index.value] ?? '').value;
  return (
    <section class="reading-bar" aria-label={t('aloud.title')}>
      <Icon svg={speaker} />
      <span class="one-line">
        <bdi>{status === undefined ? '' : nameOf(status.account)}</bdi>
      </span>
      {ids.length > 1 && (
        <span class="soft small">{t('viewer.position', { index: index.value + 1, total: ids.length })}</span>
      )}
      {index.value < ids.length - 1 && (
        <button type="button" class="icon-button" aria-label={t('aloud.next')} title={t('aloud.next')} onClick={onNext}>
          <Icon svg={next} isDirectional />
        </button>
      )}
      <button type="button" class="icon-button" aria-label={t('aloud.stop')} title={t('aloud.stop')} onClick={onStop}>
        <Icon svg={stop} />
      </button>
    </section>
  );
}
