import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { domainOf } from '../people/index.ts';
import { instance, me } from '../session/session.ts';
import { relationshipOf } from '../store/relationships.ts';
import { EmptyState } from '../ui/states.tsx';

/** Shows a profile, or why it is not shown: it is suspended, or limited by the staff until the reader wants to see it. */
export function ProfileGate({
  account,
  children,
}: {
  readonly account: Account;
  readonly children: ComponentChildren;
}) {
  const isOpened = useSignal(false);
  const relationship = relationshipOf(account.id).value;
  if (account.suspended === true)
    return (
      <EmptyState title={t('profile.suspended')}>
        <p>{t('profile.suspendedHint', { handle: `@${account.acct}` })}</p>
      </EmptyState>
    );
  const isKnown = account.id === me.value.id || relationship?.following === true;
  if (account.limited === true && !isKnown && !isOpened.value)
    return (
      <EmptyState title={t('profile.limited')}>
        <p>{t('profile.limitedHint', { server: instance.value?.title ?? domainOf(me.value) ?? '' })}</p>
        <button type="button" class="button quiet" onClick={() => (isOpened.value = true)}>
          {t('profile.showAnyway')}
        </button>
      </EmptyState>
    );
  return <>{children}</>;
}
