import arrow from '@phosphor-icons/core/regular/arrow-square-out.svg?raw';
import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { domainOf } from '../people/index.ts';
import { Icon } from '../ui/icon.tsx';

/** Says that this server may not know everything of a remote account, with a link to its own page. Nothing for a local one. */
export function OriginalPageHint({ account, text }: { readonly account: Account; readonly text: string }) {
  const domain = domainOf(account);
  if (domain === undefined) return null;
  return (
    <p class="original-page soft small">
      {text}{' '}
      <a href={account.url} target="_blank" rel="noopener">
        {t('profile.openOn', { domain })} <Icon svg={arrow} isDirectional />
      </a>
    </p>
  );
}
