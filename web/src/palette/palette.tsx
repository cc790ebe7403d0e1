import gear from '@phosphor-icons/core/regular/gear-six.svg?raw';
import signpost from '@phosphor-icons/core/regular/signpost.svg?raw';
import pencil from '@phosphor-icons/core/regular/feather.svg?raw';
import shield from '@phosphor-icons/core/regular/shield-check.svg?raw';
import undo from '@phosphor-icons/core/regular/arrow-counter-clockwise.svg?raw';
import user from '@phosphor-icons/core/regular/user.svg?raw';
import { t } from '../i18n/translate.tsx';
import { destinations } from '../layout/index.ts';
import { sectionGroups } from '../moderation/frame/index.ts';
import { preferenceGroups } from '../preferences/index.ts';
import { SearchBox, type Command } from '../search/index.ts';
import { isStaff } from '../session/permissions.ts';
import { me } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { undoOffers } from '../ui/undo.ts';
import { openTour } from '../welcome/index.ts';
import './palette.css';

/** A search for people, hashtags and pages by a few letters of their names, above any page. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={t('palette.title')} onClose={onClose}>
      <div class="palette">
        <SearchBox hasFocus label={t('palette.label')} commands={listCommands(onClose)} />
      </div>
    </Dialog>
  );
}

/** Returns what the palette leads to: the places of the navigation first, then settings and moderation. */
const listCommands = (close: () => void): readonly Command[] => [
  ...undoCommands(close),
  { target: '/publish', icon: pencil, label: t('nav.publish') },
  ...destinations().map(({ path, icon, label }) => ({ target: path, icon, label })),
  { target: `/@${me.value.acct}`, icon: user, label: t('nav.profile') },
  ...preferenceCommands(),
  ...(isStaff() ? moderationCommands() : []),
  {
    target() {
      close();
      void openTour();
    },
    icon: signpost,
    label: t('tour.title'),
    hint: t('tour.hint'),
  },
];

const undoCommands = (close: () => void): readonly Command[] => {
  const offer = undoOffers.shown.value;
  if (offer === undefined) return [];
  const target = (): void => {
    close();
    undoOffers.undo();
  };
  return [{ target, icon: undo, label: t('undo.undo'), hint: offer.text }];
};

const preferenceCommands = (): readonly Command[] =>
  preferenceGroups.flatMap(({ pages }) =>
    pages.flatMap(({ path, icon, title, hint, settings = [] }) => [
      { target: path, icon, label: t(title), hint: t(hint) },
      ...settings.map((setting) => ({ target: path, icon: gear, label: t(setting), hint: t(title) })),
    ]),
  );

const moderationCommands = (): readonly Command[] =>
  sectionGroups().flatMap(({ sections }) =>
    sections.map(({ path, label, hint }) => ({ target: path, icon: shield, label, hint })),
  );
