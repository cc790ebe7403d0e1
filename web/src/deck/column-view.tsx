import grip from '@phosphor-icons/core/regular/dots-six-vertical.svg?raw';
import more from '@phosphor-icons/core/regular/dots-three.svg?raw';
import { useState } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { settings, type Column } from '../session/settings.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { shownColumns } from './change-columns.ts';
import { alterColumn, placeColumn, removeColumn, stepColumn } from './column-actions.ts';
import { ColumnComposer } from './column-composer.tsx';
import { ColumnConversations } from './column-conversations.tsx';
import { ColumnSearch } from './column-search.tsx';
import { ColumnNotifications } from './column-notifications.tsx';
import { neighbourOf } from './columns.ts';
import { MissingSource } from './missing-source.tsx';
import { parseSource, timelineSourceOf, titleOf } from './column-sources.ts';
import { ColumnTimeline } from './column-timeline.tsx';
import { stepOfKey } from './step-of-key.ts';

const widths = ['narrow', 'normal', 'wide'] as const;

/** A column: its header, by which it is moved, and its content. */
export function ColumnView({ column }: { readonly column: Column }) {
  const [isTarget, setTarget] = useState(false);
  const { id, isPinned, width = 'normal' } = column;
  const title = titleOf(column);
  const canMove = (step: -1 | 1): boolean => neighbourOf(shownColumns(settings.peek().columns), id, step) !== undefined;
  const move = (step: -1 | 1): void =>
    stepColumn(id, step, () => document.querySelector(`[data-column="${CSS.escape(id)}"] .column-grip`));
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
        if (moved !== '' && moved !== id) placeColumn(moved, id);
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
            const step = stepOfKey(event.key);
            if (step === undefined) return;
            event.preventDefault();
            move(step);
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
          items={() => [
            ...widths.map((value) => ({
              label: t(`deck.width_${value}`),
              isChecked: value === width,
              onSelect: () => alterColumn(id, { width: value }),
            })),
            'separator',
            {
              label: isPinned ? t('deck.unpin') : t('deck.pin'),
              onSelect: () => alterColumn(id, { isPinned: !isPinned }),
            },
            canMove(-1) ? { label: t('deck.moveBack'), onSelect: () => move(-1) } : undefined,
            canMove(1) ? { label: t('deck.moveForward'), onSelect: () => move(1) } : undefined,
            'separator',
            { label: t('deck.remove'), isDangerous: true, onSelect: () => removeColumn(column) },
          ]}
        />
      </header>
      <Body column={column} title={title} />
    </section>
  );
}

const dragType = 'application/x-column';

function Body({ column, title }: { readonly column: Column; readonly title: string }) {
  const timeline = timelineSourceOf(column.source);
  if (timeline !== undefined)
    return <ColumnTimeline source={timeline} title={title} missing={<MissingSource column={column} />} />;
  const { kind, value } = parseSource(column.source);
  if (kind === 'notifications') return <ColumnNotifications title={title} />;
  if (kind === 'composer') return <ColumnComposer />;
  if (kind === 'conversations') return <ColumnConversations title={title} />;
  return <ColumnSearch title={title} query={value} />;
}
