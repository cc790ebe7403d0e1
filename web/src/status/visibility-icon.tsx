import at from '@phosphor-icons/core/regular/at.svg?raw';
import globe from '@phosphor-icons/core/regular/globe-hemisphere-west.svg?raw';
import lock from '@phosphor-icons/core/regular/lock-simple.svg?raw';
import moon from '@phosphor-icons/core/regular/moon.svg?raw';
import type { Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';

const icons = { public: globe, unlisted: moon, private: lock, direct: at } as const;

/** Returns who can see a post of this visibility, in words. */
export function describeVisibility(visibility: Status['visibility']): string {
  switch (visibility) {
    case 'public':
      return t('visibility.public');
    case 'unlisted':
      return t('visibility.unlisted');
    case 'private':
      return t('visibility.private');
    case 'direct':
      return t('visibility.direct');
  }
}

/** The icon of who can see a post, with its name. */
export function VisibilityIcon({ visibility }: { readonly visibility: Status['visibility'] }) {
  return (
    <span class="visibility" title={describeVisibility(visibility)}>
      <Icon svg={icons[visibility]} label={describeVisibility(visibility)} />
    </span>
  );
}
