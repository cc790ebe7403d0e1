import type { FieldfareRelay } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { postAction, ResourcePage, type Resource } from '../resource/resource-page.tsx';

/** Relays, which exchange public posts among servers. */
export function RelaysPage() {
  const path = '/api/v1/fieldfare/admin/relays';
  const resource: Resource<FieldfareRelay> = {
    title: t('sections.relays'),
    permissions: ['manage_federation'],
    path,
    intro: t('servers.relaysIntro'),
    empty: t('servers.noRelays'),
    addLabel: t('servers.addRelay'),
    fields: [
      { name: 'url', label: t('servers.address'), kind: 'text', isRequired: true, hint: t('servers.relayHint') },
      {
        name: 'kind',
        label: t('servers.relayKind'),
        kind: 'choice',
        options: [
          { value: 'mastodon', label: t('servers.relayMastodon') },
          { value: 'litepub', label: t('servers.relayLitepub') },
        ],
      },
    ],
    nameOf: (relay) => relay.url,
    render: (relay) => (
      <p class="item-title">
        {relay.url} <span class="tag">{t(`relayState.${relay.state}`)}</span>
      </p>
    ),
    actions: (relay, list) => [
      relay.state === 'idle' || relay.state === 'rejected'
        ? postAction(t('servers.subscribe'), { list, path: `${path}/${relay.id}/subscribe` })
        : postAction(t('servers.unsubscribe'), { list, path: `${path}/${relay.id}/unsubscribe` }),
    ],
    deletion: { label: t('servers.removeRelay'), text: () => t('servers.removeRelayText') },
  };
  return <ResourcePage resource={resource} />;
}
