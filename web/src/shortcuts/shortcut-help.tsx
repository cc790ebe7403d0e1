import { t } from '../i18n/translate.tsx';
import { Dialog } from '../ui/dialog.tsx';
import './shortcut-help.css';

type Row = readonly [keys: readonly string[], meaning: string];

/** Lists the keyboard shortcuts. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const groups: readonly (readonly [title: string, rows: readonly Row[]])[] = [
    [
      t('shortcuts.posts'),
      [
        [['j', 'k'], t('shortcuts.move')],
        [['Enter', 'o'], t('shortcuts.open')],
        [['r'], t('shortcuts.reply')],
        [['f'], t('shortcuts.favourite')],
        [['b'], t('shortcuts.boost')],
        [['d'], t('shortcuts.bookmark')],
        [['q'], t('shortcuts.quote')],
        [['m'], t('shortcuts.mention')],
        [['p'], t('shortcuts.profile')],
        [['i'], t('shortcuts.peek')],
        [['t'], t('shortcuts.translate')],
        [['l'], t('shortcuts.readAloud')],
        [['x'], t('shortcuts.warning')],
        [['h'], t('shortcuts.media')],
        [['e'], t('shortcuts.viewer')],
        [['c'], t('shortcuts.fold')],
      ],
    ],
    [
      t('shortcuts.everywhere'),
      [
        [['n'], t('shortcuts.compose')],
        [['s'], t('shortcuts.search')],
        [['Ctrl K', '/'], t('shortcuts.palette')],
        [['z'], t('shortcuts.undo')],
        [['.'], t('shortcuts.newPosts')],
        [[','], t('shortcuts.previousNew')],
        [['0'], t('shortcuts.top')],
        [['Backspace'], t('shortcuts.back')],
        [['?'], t('shortcuts.help')],
      ],
    ],
    [
      t('shortcuts.pages'),
      [
        [['g h'], t('nav.home')],
        [['g n'], t('nav.notifications')],
        [['g c'], t('nav.catchUp')],
        [['g l'], t('timeline.local')],
        [['g t'], t('timeline.all')],
        [['g e'], t('nav.explore')],
        [['g d'], t('nav.conversations')],
        [['g f'], t('nav.favourites')],
        [['g a'], t('nav.bookmarks')],
        [['g u'], t('nav.profile')],
        [['g s'], t('nav.preferences')],
      ],
    ],
  ];
  return (
    <Dialog title={t('shortcuts.title')} size="wide" onClose={onClose}>
      <div class="shortcut-groups">
        {groups.map(([title, rows]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(([names, meaning]) => (
                <div key={meaning}>
                  <dt>
                    {names.map((name) => (
                      <kbd key={name}>{name}</kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
