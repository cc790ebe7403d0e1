import { t } from '../i18n/translate.tsx';
import { describeVisibility, VisibilityIcon } from '../status/index.ts';
import { Choices } from './choices.tsx';
import type { Visibility } from './composed.ts';
import type { Composition } from './composition.ts';
import { Popover } from './popover.tsx';

/** The choice of who sees and who may quote a post, in words. */
export function VisibilityPicker({ composition }: { readonly composition: Composition }) {
  const { visibility, quotePolicy, editedId } = composition.content.value;
  const isNarrow = visibility === 'private' || visibility === 'direct';
  return (
    <Popover
      label={t('composer.visibilityIs', { visibility: describeVisibility(visibility) })}
      buttonClass="chip"
      button={
        <>
          <VisibilityIcon visibility={visibility} />
          <span>{describeVisibility(visibility)}</span>
        </>
      }
    >
      {() => (
        <>
          <Choices<Visibility>
            legend={t('composer.whoSees')}
            chosen={visibility}
            disabledBecause={editedId === undefined ? undefined : t('composer.visibilityFixed')}
            onChoose={(value) => composition.change({ visibility: value })}
            choices={[
              { value: 'public', label: describeVisibility('public'), hint: t('composer.publicHint') },
              { value: 'unlisted', label: describeVisibility('unlisted'), hint: t('composer.unlistedHint') },
              { value: 'private', label: describeVisibility('private'), hint: t('composer.privateHint') },
              { value: 'direct', label: describeVisibility('direct'), hint: t('composer.directHint') },
            ]}
          />
          <Choices
            legend={t('composer.whoQuotes')}
            chosen={isNarrow ? 'nobody' : quotePolicy}
            disabledBecause={isNarrow ? t('composer.quotesNarrow') : undefined}
            onChoose={(value) => composition.change({ quotePolicy: value })}
            choices={[
              { value: 'public', label: t('composer.everyone') },
              { value: 'followers', label: t('composer.followers') },
              { value: 'nobody', label: t('composer.justMe') },
            ]}
          />
        </>
      )}
    </Popover>
  );
}
