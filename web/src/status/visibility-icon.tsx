import at from '@phosphor-icons/core/regular/at.svg?raw';
import globe from '@phosphor-icons/core/regular/globe-hemisphere-west.svg?raw';
import house from '@phosphor-icons/core/regular/house-line.svg?raw';
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

/** Returns who can see a post, in words. */
export function describeAudience(
  visibility: Status['visibility'],
  { isLocalOnly = false }: { readonly isLocalOnly?: boolean | undefined },
): string {
  const name = describeVisibility(visibility);
  return isLocalOnly ? `${name} · ${t('visibility.localOnly')}` : name;
}

interface VisibilityIconProps {
  readonly visibility: Status['visibility'];
  readonly isLocalOnly?: boolean | undefined;
}

/** The icon of who can see a post, with its name; a house if it stays on this server. */
export function VisibilityIcon({ visibility, isLocalOnly }: VisibilityIconProps) {
  const name = describeAudience(visibility, { isLocalOnly });
  return (
    <span class="visibility" title={name}>
      {(isLocalOnly !== true || visibility !== 'public') && (
        <Icon svg={icons[visibility]} label={describeVisibility(visibility)} />
      )}
      {isLocalOnly === true && <Icon svg={house} label={t('visibility.localOnly')} />}
    </span>
  );
}
