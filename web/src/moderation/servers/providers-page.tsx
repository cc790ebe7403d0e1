import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { FieldfareProvider } from '../../api/entities.ts';
import { t, tx } from '../../i18n/translate.tsx';
import { repeatWhileVisible } from '../../session/repeat-while-visible.ts';
import type { Pages } from '../../store/pages.ts';
import { confirm } from '../../ui/confirm.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { putItem } from '../list/listed.ts';
import { postAction, ResourcePage, type Resource } from '../resource/resource-page.tsx';

const path = '/api/v1/fieldfare/admin/providers';

/** Services that help with search and discovery across servers. They register themselves, and staff confirm them. */
export function ProvidersPage() {
  const resource: Resource<FieldfareProvider> = {
    title: t('sections.providers'),
    permissions: ['manage_federation'],
    path,
    intro: t('providers.intro'),
    empty: t('providers.empty'),
    nameOf: ({ name }) => name,
    render: (provider) => <Provider provider={provider} />,
    renderExtra: (list) => <Answers list={list} />,
    actions: (provider, list) =>
      provider.confirmed_at === null
        ? [{ label: t('providers.confirm'), onSelect: () => void confirmProvider(provider, list) }]
        : actionsOf(provider, list),
    deletion: { label: t('providers.delete'), text: () => t('providers.deleteText') },
  };
  return <ResourcePage resource={resource} />;
}

const pollMs = 2_000;

/** Whether a provider was asked for something that it has neither answered nor failed to answer. */
const isWaiting = ({ confirmed_at: confirmed, info_fetched_at: fetched, failures, capabilities }: FieldfareProvider) =>
  confirmed !== null &&
  failures === 0 &&
  (fetched === null || capabilities.some((one) => one.enabled !== one.announced));

/** Loads providers again until they have answered. */
function Answers({ list }: { readonly list: Pages<FieldfareProvider> }) {
  const waiting = list.items.value
    .filter(isWaiting)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (waiting === '') return undefined;
    const load = (id: string): Promise<void> =>
      request<FieldfareProvider>('GET', `${path}/${id}`).then(
        (provider) => putItem(list, provider),
        () => undefined,
      );
    return repeatWhileVisible(() => void Promise.all(waiting.split(' ').map(load)), pollMs);
  }, [waiting, list]);
  return null;
}

function Provider({ provider }: { readonly provider: FieldfareProvider }) {
  const { name, base_url: url, fingerprint, confirmed_at: confirmedAt, capabilities } = provider;
  const { failing_since: since, privacy_policies: policies, sign_in_url: signInUrl, callbacks } = provider;
  const [answer] = callbacks;
  const enabled = capabilities.filter((capability) => capability.enabled);
  return (
    <>
      <p class="item-title">
        {name} {confirmedAt === null && <span class="tag warn">{t('providers.pending')}</span>}
        {enabled.map((capability) => (
          <Fragment key={capability.name}>
            <span class="tag">{labelOf(capability.name)}</span>{' '}
          </Fragment>
        ))}
      </p>
      <p class="small soft">
        <bdi>{url}</bdi>
      </p>
      {confirmedAt === null && (
        <p class="small">{tx('providers.shownFingerprint', { fingerprint: <bdi dir="ltr">{fingerprint}</bdi> })}</p>
      )}
      {since !== null && (
        <p class="small problem">
          {t('providers.failing', { error: problemOf(provider) })} <RelativeTime time={since} />
        </p>
      )}
      {answer !== undefined && (
        <p class="small soft">
          {t('providers.lastAnswer')} <RelativeTime time={answer.created_at} />
        </p>
      )}
      {policies.map((policy) => (
        <p key={policy.url} class="small">
          <a href={policy.url} target="_blank" rel="noopener noreferrer">
            {t('providers.privacyPolicy')} ({policy.language})
          </a>
        </p>
      ))}
      {signInUrl !== null && (
        <p class="small">
          <a href={signInUrl} target="_blank" rel="noopener noreferrer">
            {t('providers.signIn')}
          </a>
        </p>
      )}
    </>
  );
}

function labelOf(name: string): string {
  switch (name) {
    case 'account_search':
    case 'callback':
    case 'data_sharing':
    case 'follow_recommendation':
    case 'trends':
      return t(`providerCapability.${name}`);
    default:
      return name;
  }
}

function problemOf({ last_error: error, last_status: status }: FieldfareProvider): string {
  if (error === 'status') return t('providerError.status', { status: String(status ?? '') });
  return error === null ? '' : t(`providerError.${error}`);
}

function actionsOf(provider: FieldfareProvider, list: Pages<FieldfareProvider>): (MenuItem | undefined)[] {
  const own = `${path}/${provider.id}`;
  const usable = provider.capabilities.filter(({ supported, enabled }) => supported || enabled);
  const hasCallback = usable.some(({ name, enabled }) => name === 'callback' && enabled);
  return [
    ...usable.map(({ name, enabled }) =>
      enabled
        ? postAction(t('providers.disable', { name: labelOf(name) }), {
            list,
            path: `${own}/capabilities/${name}/disable`,
          })
        : postAction(t('providers.enable', { name: labelOf(name) }), {
            list,
            path: `${own}/capabilities/${name}/enable`,
          }),
    ),
    hasCallback ? postAction(t('providers.test'), { list, path: `${own}/test` }) : undefined,
    postAction(t('providers.refresh'), { list, path: `${own}/refresh` }),
  ];
}

async function confirmProvider(provider: FieldfareProvider, list: Pages<FieldfareProvider>): Promise<void> {
  const { id, name, fingerprint } = provider;
  const isConfirmed = await confirm({
    title: name,
    // Isolated, because it ends with = and is read from left to right.
    text: t('providers.confirmText', { fingerprint: `\u2066${fingerprint}\u2069` }),
    action: t('providers.confirm'),
    isDangerous: false,
  });
  if (!isConfirmed) return;
  const confirmed = request<FieldfareProvider>('POST', `${path}/${id}/confirm`, { body: { fingerprint } });
  await confirmed.then((item) => putItem(list, item), showError);
}
