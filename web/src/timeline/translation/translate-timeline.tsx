import translateIcon from '@phosphor-icons/core/regular/translate.svg?raw';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Status } from '../../api/entities.ts';
import { locale, t } from '../../i18n/translate.tsx';
import { me } from '../../session/session.ts';
import { isTranslatable, showOriginal, translateAll, translationOf } from '../../status/translation/index.ts';
import { statusOf } from '../../store/statuses.ts';
import { Icon } from '../../ui/icon.tsx';
import { request } from '../../api/client.ts';
import { canTranslate, isForeign, type TranslationTargets } from './foreign-language.ts';
import type { TimelineSource } from '../sources.ts';
import { idsOf } from '../timeline-items.ts';
import { timelineOf } from '../timeline.ts';

/** The keys of the timelines whose posts are translated as they come into the window. */
const translated = signal<ReadonlySet<string>>(new Set());
/** Loaded with the first post in another language. */
const targets = signal<TranslationTargets>({});
let loadingTargets: Promise<void> | undefined;

async function loadTargets(): Promise<void> {
  targets.value = await request<TranslationTargets>('GET', '/api/v1/instance/translation_languages');
}

/** Posts whose translation is on its way. */
const requested = new Set<string>();

/** Translates the posts of a timeline in languages that the reader does not read, and shows them as written again. */
export function TranslateTimeline({ source }: { readonly source: TimelineSource }) {
  const { key } = source;
  const items = timelineOf(source).items.value;
  const isOn = translated.value.has(key);
  const foreign = idsOf(items).flatMap((id) => {
    const status = statusOf(id).value;
    const shown = status?.reblog ?? status;
    return shown !== undefined && isUnreadable(shown) ? [shown.id] : [];
  });
  const hasForeign = foreign.length > 0;
  useEffect(() => {
    // Without them nothing is offered; the next page tries again.
    if (hasForeign) loadingTargets ??= loadTargets().catch(() => (loadingTargets = undefined));
  }, [hasForeign]);
  const translatable = foreign.filter(isPossible);
  useEffect(() => {
    if (!isOn) return undefined;
    const translateShown = (): void => void translateRendered(key);
    translateShown();
    addEventListener('scrollend', translateShown);
    return () => removeEventListener('scrollend', translateShown);
  }, [isOn, items]);
  if (translatable.length === 0) return null;
  const label = t(isOn ? 'timeline.showOriginals' : 'timeline.translate');
  return (
    <button
      type="button"
      class="icon-button"
      aria-pressed={isOn}
      aria-label={label}
      title={label}
      onClick={() => {
        setTranslated(key, !isOn);
        if (isOn) translatable.forEach(showOriginal);
      }}
    >
      <Icon svg={translateIcon} />
    </button>
  );
}

function setTranslated(key: string, isOn: boolean): void {
  const others = [...translated.peek()].filter((one) => one !== key);
  translated.value = new Set(isOn ? [...others, key] : others);
}

/** Translates the posts in and near the window. After a failure, the reader decides whether it goes on. */
async function translateRendered(key: string): Promise<void> {
  const shown = [...document.querySelectorAll<HTMLElement>('#content article[data-status]')];
  const ids = [...new Set(shown.map(({ dataset }) => dataset['status'] ?? ''))].filter((id) => {
    const status = statusOf(id).peek();
    const isWanted = status !== undefined && isUnreadable(status) && isPossible(id);
    return isWanted && !requested.has(id) && translationOf(id).peek() === undefined;
  });
  for (const id of ids) requested.add(id);
  const isDone = await translateAll(ids);
  for (const id of ids) requested.delete(id);
  if (!isDone) setTranslated(key, false);
}

const isUnreadable = (status: Status): boolean =>
  isTranslatable(status) &&
  isForeign(status.language, [locale.value, me.value.source.language, ...navigator.languages]);

/** Whether the service translates a post into the language of the client. */
const isPossible = (id: string): boolean =>
  canTranslate(targets.value, statusOf(id).peek()?.language ?? '', locale.peek());
