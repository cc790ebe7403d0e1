import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { openDomainBlock } from './dialogs/open-dialogs.tsx';
import { usePages } from '../store/pages.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { isDomainUnblocked, unblockDomain } from './relationship-actions.ts';
import '../ui/account-row.css';

/** The servers that the reader blocks, with a field to block another one. */
export function DomainBlocksPage() {
  const list = usePages<string>('/api/v1/domain_blocks');
  const unblock = async (domain: string): Promise<void> => {
    if (await unblockDomain(domain)) list.removeWhere((one) => one === domain);
  };
  return (
    <>
      <PageHeader title={t('people.domainBlocks')} hasBack />
      <p class="page-intro soft">
        {t('people.domainBlocksHint')} <a href="/preferences/data">{t('people.exportImport')}</a>
      </p>
      <AddDomain onBlocked={() => void list.load()} />
      <PagedList
        hasLines
        pages={list}
        label={t('people.domainBlocks')}
        empty={<EmptyState title={t('people.noDomainBlocks')} />}
        isLeftOut={isDomainUnblocked}
        keyOf={(domain) => domain}
        render={(domain) => (
          <div class="account-row simple">
            <strong>
              <bdi>{domain}</bdi>
            </strong>
            <button
              type="button"
              class="button quiet"
              aria-label={t('people.unblockName', { name: domain })}
              onClick={() => void unblock(domain)}
            >
              {t('people.unblock')}
            </button>
          </div>
        )}
      />
    </>
  );
}

function AddDomain({ onBlocked }: { readonly onBlocked: () => void }) {
  const id = useId();
  const domain = useSignal('');
  return (
    <form
      class="add-form"
      onSubmit={(event) => {
        event.preventDefault();
        const name = domain.value
          .trim()
          .replace(/^https?:\/\//, '')
          .replace(/^@|\/.*$/g, '');
        if (name === '') return;
        openDomainBlock(name, {
          onBlocked: () => {
            domain.value = '';
            onBlocked();
          },
        });
      }}
    >
      <div class="field">
        <label for={id}>{t('people.serverName')}</label>
        <input
          id={id}
          type="text"
          inputMode="url"
          autoCapitalize="none"
          spellcheck={false}
          placeholder={t('people.domainExample')}
          value={domain.value}
          onInput={(event) => (domain.value = event.currentTarget.value)}
        />
      </div>
      <button type="submit" class="button">
        {t('people.blockServer')}
      </button>
    </form>
  );
}
