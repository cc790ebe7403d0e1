import grip from '@phosphor-icons/core/regular/dots-six-vertical.svg?raw';
import more from '@phosphor-icons/core/regular/dots-three.svg?raw';
import { useState } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import type { Column } from '../session/settings.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { ColumnComposer } from './column-composer.tsx';
import { ColumnConversations } from './column-conversations.tsx';
import { ColumnSearch } from './column-search.tsx';
import { ColumnNotifications } from './column-notifications.tsx';
import { parseSource, timelineSourceOf, titleOf } from './column-sources.ts';
import { ColumnTimeline } from './column-timeline.tsx';

/** What a column can be told to do. */
export interface ColumnActions {
  /** Moves it by a place, if it can. */
  readonly move: (id: string, step: -1 | 1) => void;
  /** Moves it to the place of another column. */
  readonly moveTo: (id: string, targetId: string) => void;
  readonly change: (id: string, changes: Partial<Omit<Column, 'id'>>) => void;
  readonly remove: (column: Column) => void;
}

interface ColumnViewProps {
  readonly column: Column;
  readonly actions: ColumnActions;
}

const widths = ['narrow', 'normal', 'wide'] as const;

/** A column: its header, by which it is moved, and its content. */
export function ColumnView({ column, actions }: ColumnViewProps) {
  const [isTarget, setTarget] = useState(false);
  const { id, isPinned, width = 'normal' } = column;
  const title = titleOf(column);
  return (
    // A place to drop columns; the keyboard moves them by the handle.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      class={`column ${width}${isTarget ? ' is-target' : ''}`}
      aria-label={title}
      data-column={id}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes(dragType) !== true) return;
        event.preventDefault();
        setTarget(true);
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        event.preventDefault();
        setTarget(false);
        const moved = event.dataTransfer?.getData(dragType) ?? '';
        if (moved !== '' && moved !== id) actions.moveTo(moved, id);
      }}
    >
      <header class="column-header">
        <button
          type="button"
          class="icon-button column-grip"
          draggable
          aria-label={t('deck.moveHandle', { title })}
          title={t('deck.moveHint')}
          onDragStart={(event) => event.dataTransfer?.setData(dragType, id)}
          onKeyDown={(event) => {
            const step = stepOf(event.key);
            if (step === undefined) return;
            event.preventDefault();
            actions.move(id, step);
          }}
        >
          <Icon svg={grip} />
        </button>
        <h2 class="one-line">
          <bdi>{title}</bdi>
        </h2>
        <Menu
          label={t('deck.optionsOf', { title })}
          button={<Icon svg={more} />}
          items={[
            ...widths.map((value) => ({
              label: t(`deck.width_${value}`),
              isChecked: value === width,
              onSelect: () => actions.change(id, { width: value }),
            })),
            'separator',
            {
              label: isPinned ? t('deck.unpin') : t('deck.pin'),
              onSelect: () => actions.change(id, { isPinned: !isPinned }),
            },
            { label: t('deck.moveBack'), onSelect: () => actions.move(id, -1) },
            { label: t('deck.moveForward'), onSelect: () => actions.move(id, 1) },
            'separator',
            { label: t('deck.remove'), isDangerous: true, onSelect: () => actions.remove(column) },
          ]}
        />
      </header>
      <Body source={column.source} title={title} />
    </section>
  );
}

const dragType = 'application/x-column';

/** The arrow keys follow the direction of the page. */
function stepOf(key: string): -1 | 1 | undefined {
  const isReversed = document.documentElement.dir === 'rtl';
  if (key === 'ArrowLeft') return isReversed ? 1 : -1;
  if (key === 'ArrowRight') return isReversed ? -1 : 1;
  return undefined;
}

function Body({ source, title }: { readonly source: string; readonly title: string }) {
  const timeline = timelineSourceOf(source);
  if (timeline !== undefined) return <ColumnTimeline source={timeline} title={title} />;
  const { kind, value } = parseSource(source);
  if (kind === 'notifications') return <ColumnNotifications title={title} />;
  if (kind === 'composer') return <ColumnComposer />;
  if (kind === 'conversations') return <ColumnConversations title={title} />;
  return <ColumnSearch title={title} query={value} />;
}
