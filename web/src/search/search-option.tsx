import clock from '@phosphor-icons/core/regular/clock-counter-clockwise.svg?raw';
import funnel from '@phosphor-icons/core/regular/funnel.svg?raw';
import hash from '@phosphor-icons/core/regular/hash.svg?raw';
import arrow from '@phosphor-icons/core/regular/arrow-square-out.svg?raw';
import magnifier from '@phosphor-icons/core/regular/magnifying-glass.svg?raw';
import type { ComponentChildren } from 'preact';
import { t } from '../i18n/translate.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Option } from './search-options.ts';

interface SearchOptionProps {
  readonly option: Option;
  readonly id: string;
  readonly isActive: boolean;
  readonly onChoose: () => void;
}

/** An entry below the search field. The keyboard chooses it from the field. */
export function SearchOption({ option, id, isActive, onChoose }: SearchOptionProps) {
  return (
    // The keys are those of the combobox, which keeps the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      class="search-option"
      aria-selected={isActive}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {contentOf(option)}
    </div>
  );
}

function contentOf(option: Option): ComponentChildren {
  switch (option.kind) {
    case 'search':
      return (
        <>
          <Icon svg={option.isAddress ? arrow : magnifier} isDirectional={option.isAddress} />
          <span>
            {option.isAddress ? t('search.open', { text: option.text }) : t('search.for', { text: option.text })}
          </span>
        </>
      );
    case 'recent':
      return (
        <>
          <Icon svg={clock} />
          <span>{option.text}</span>
        </>
      );
    case 'operator':
      return (
        <>
          <Icon svg={funnel} />
          <span>
            <code>{option.completion.word}</code>{' '}
            <span class="soft small">{t(`search.operator_${option.completion.operator}`)}</span>
          </span>
        </>
      );
    case 'command':
      return (
        <>
          <Icon svg={option.command.icon} />
          <span>
            {option.command.label} <span class="soft small">{option.command.hint}</span>
          </span>
        </>
      );
    case 'account':
      return (
        <>
          <Avatar account={option.account} size={32} />
          <span class="name-line">
            <strong class="one-line">
              <DisplayName account={option.account} />
            </strong>{' '}
            <span class="one-line soft" dir="ltr">
              @{option.account.acct}
            </span>
          </span>
        </>
      );
    case 'hashtag':
      return (
        <>
          <Icon svg={hash} />
          <span>#{option.name}</span>
        </>
      );
  }
}
