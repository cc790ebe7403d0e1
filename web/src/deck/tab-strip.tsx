import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import type { Column } from '../session/settings.ts';
import { timelineOf } from '../timeline/index.ts';
import { unreadCount } from '../unread/index.ts';
import { timelineSourceOf, titleOf } from './column-sources.ts';
import { stepOfKey } from './step-of-key.ts';

interface TabStripProps {
  readonly tabs: readonly Column[];
  readonly shown: Column;
  /** Called for the shown tab, too. */
  readonly onSelect: (id: string) => void;
}

/** The tabs of home, in its header. Arrow keys, Home and End move between them. */
export function TabStrip({ tabs, shown, onSelect }: TabStripProps) {
  const strip = useRef<HTMLDivElement>(null);
  useEffect(
    () => strip.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ inline: 'center', block: 'nearest' }),
    [shown.id],
  );
  const move = (event: KeyboardEvent): void => {
    const next = indexAfter(event.key, tabs.indexOf(shown), tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (tab === undefined || tab === shown) return;
    event.preventDefault();
    onSelect(tab.id);
    strip.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(tab.id)}"]`)?.focus();
  };
  return (
    <div ref={strip} class="tab-strip" role="tablist" aria-label={t('tabs.label')}>
      {tabs.map((tab) => (
        <TabButton key={tab.id} tab={tab} isShown={tab === shown} onSelect={onSelect} onKeyDown={move} />
      ))}
    </div>
  );
}

interface TabButtonProps {
  readonly tab: Column;
  readonly isShown: boolean;
  readonly onSelect: (id: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function TabButton({ tab, isShown, onSelect, onKeyDown }: TabButtonProps) {
  return (
    <button
      type="button"
      role="tab"
      data-tab={tab.id}
      aria-selected={isShown}
      {...(isShown && { 'aria-controls': 'home-tab' })}
      tabIndex={isShown ? 0 : -1}
      onClick={() => onSelect(tab.id)}
      onKeyDown={onKeyDown}
    >
      <bdi>{titleOf(tab)}</bdi>
      {!isShown && isUnread(tab) && (
        <span class="tab-unread">
          <span class="visually-hidden">{t('tabs.unread')}</span>
        </span>
      )}
    </button>
  );
}

/** Whether something new waits in a tab. */
function isUnread({ source }: Column): boolean {
  if (source === 'notifications') return unreadCount.value > 0;
  const timeline = timelineSourceOf(source);
  return timeline !== undefined && timelineOf(timeline).waiting.value.length > 0;
}

function indexAfter(key: string, index: number, count: number): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = stepOfKey(key);
  return step === undefined ? undefined : index + step;
}
