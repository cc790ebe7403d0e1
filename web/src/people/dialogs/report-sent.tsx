import type { Account } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { relationshipOf } from '../../store/relationships.ts';
import { nameOf } from '../../ui/display-name.tsx';
import { domainOf } from '../domain-of.ts';
import { block, openDomainBlock, openMute } from './open-dialogs.tsx';
import { unfollowAccount } from '../relationship-actions.ts';

/** Thanks for a report, and offers what the reader can do at once. */
export function ReportSent({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const relationship = relationshipOf(account.id).value;
  const name = nameOf(account);
  const domain = domainOf(account);
  const offers: readonly { readonly label: string; readonly run: () => void }[] = [
    ...(relationship?.following === true
      ? [{ label: t('people.unfollowName', { name }), run: () => void unfollowAccount(account) }]
      : []),
    ...(relationship?.muting === true ? [] : [{ label: t('people.muteName', { name }), run: () => openMute(account) }]),
    ...(relationship?.blocking === true ? [] : [{ label: t('people.blockName', { name }), run: () => block(account) }]),
    ...(domain === undefined
      ? []
      : [{ label: t('people.blockDomain', { domain }), run: () => openDomainBlock(domain, { account }) }]),
  ];
  return (
    <>
      <p>{t('report.sentText')}</p>
      <p>{t('report.sentOffers')}</p>
      <div class="stacked-buttons">
        {offers.map(({ label, run }) => (
          <button
            key={label}
            type="button"
            class="button quiet"
            onClick={() => {
              onClose();
              run();
            }}
          >
            {label}
          </button>
        ))}
        <button type="button" class="button" onClick={onClose}>
          {t('report.done')}
        </button>
      </div>
    </>
  );
}
