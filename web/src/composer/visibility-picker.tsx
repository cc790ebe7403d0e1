import { t } from '../i18n/translate.tsx';
import { describeAudience, describeVisibility, VisibilityIcon } from '../status/index.ts';
import { Choices } from './choices.tsx';
import type { Visibility } from './composed.ts';
import type { Composition } from './composition.ts';
import { Popover } from './popover.tsx';
import { staysHere } from './start-composing.ts';

/** The choice of who sees and who may quote a post, in words. */
export function VisibilityPicker({ composition }: { readonly composition: Composition }) {
  const { visibility, quotePolicy, editedId } = composition.content.value;
  const isLocalOnly = composition.content.value.isLocalOnly === true && visibility !== 'direct';
  const audience = describeAudience(visibility, { isLocalOnly });
  const isNarrow = visibility === 'private' || visibility === 'direct';
  return (
    <Popover
      label={t('composer.visibilityIs', { visibility: audience })}
      buttonClass="chip"
      button={
        <>
          <VisibilityIcon visibility={visibility} isLocalOnly={isLocalOnly} />
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
          <LocalOnlyField composition={composition} />
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

/** Whether the post stays on this server, unless what it answers or quotes decides that. */
function LocalOnlyField({ composition }: { readonly composition: Composition }) {
  const { visibility, isLocalOnly, editedId } = composition.content.value;
  const { parent, quoted } = composition;
  const isBound = [parent, quoted].some((status) => status !== undefined && staysHere(status));
  const isElsewhere = visibility === 'direct' || (quoted !== undefined && quoted.local_only === undefined);
  const isFixed = editedId !== undefined || isBound || isElsewhere;
  const hint = isBound
    ? t('composer.localOnlyBound')
    : isElsewhere
      ? t('composer.localOnlyElsewhere')
      : t('composer.localOnlyHint');
  return (
    <label class={isFixed ? 'choice disabled' : 'choice'}>
      <input
        type="checkbox"
        checked={isLocalOnly === true && visibility !== 'direct'}
        disabled={isFixed}
        onChange={(event) => composition.change({ isLocalOnly: event.currentTarget.checked })}
      />
      <span>
        {t('visibility.localOnly')}
        <small>{hint}</small>
      </span>
    </label>
  );
}
