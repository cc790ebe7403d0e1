import { useLocation } from 'preact-iso';
import { useMemo } from 'preact/hooks';
import { request, withQuery } from '../../api/client.ts';
import type {
  FieldfareAdminTrendingTag,
  AdminTrendsLink,
  AdminTrendsLinksPreviewCardProvider,
  AdminTrendsStatus,
} from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { prepareHtml } from '../../ui/prepare-html.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { showError } from '../../ui/toasts.tsx';
import { refreshStaffCounts } from '../../unread/index.ts';
import { ModerationPage } from '../frame/moderation-page.tsx';
import { ItemList } from '../list/item-list.tsx';
import { type Pages, usePages } from '../../store/pages.ts';
import { putItem } from '../list/listed.ts';

const paths = {
  tags: '/api/v1/admin/trends/tags',
  links: '/api/v1/admin/trends/links',
  statuses: '/api/v1/admin/trends/statuses',
  publishers: '/api/v1/admin/trends/links/publishers',
} as const;
type Kind = keyof typeof paths;

type Trend = FieldfareAdminTrendingTag | AdminTrendsLink | AdminTrendsStatus | AdminTrendsLinksPreviewCardProvider;

/** What becomes popular and waits for a decision. */
export function TrendsPage() {
  return (
    <ModerationPage title={t('sections.trends')} permissions={['manage_taxonomies']}>
      <Trends />
    </ModerationPage>
  );
}

function Trends() {
  const { query } = useLocation();
  const chosen = query['kind'] ?? 'tags';
  const kind: Kind = chosen in paths ? (chosen as Kind) : 'tags';
  const path = (one: Kind): string => (one === 'tags' ? '/moderation/trends' : `/moderation/trends?kind=${one}`);
  const tabs = (['tags', 'links', 'statuses', 'publishers'] as const).map((one) => ({
    path: path(one),
    label: t(`trends.${one}`),
  }));
  return (
    <>
      <Tabs label={t('trends.kind')} tabs={tabs} current={path(kind)} />
      <List key={kind} kind={kind} />
    </>
  );
}

function List({ kind }: { readonly kind: Kind }) {
  const query = useMemo(() => ({ limit: 40 }), []);
  const list = usePages<Trend>(withQuery(paths[kind], query));
  return (
    <ItemList
      list={list}
      label={t(`trends.${kind}`)}
      empty={t('trends.empty')}
      renderItem={(trend) => <Row trend={trend} kind={kind} list={list} />}
    />
  );
}

interface RowProps {
  readonly trend: Trend;
  readonly kind: Kind;
  readonly list: Pages<Trend>;
}

function Row({ trend, kind, list }: RowProps) {
  const decide = (verb: 'approve' | 'reject'): void =>
    void request<Trend>('POST', `${paths[kind]}/${trend.id}/${verb}`).then((changed) => {
      putItem(list, { ...changed, id: trend.id } as Trend);
      void refreshStaffCounts();
    }, showError);
  return (
    <div class="item">
      <div class="item-text">
        <Summary trend={trend} />
        {'requires_review' in trend && trend.requires_review && <span class="tag warn">{t('trends.waits')}</span>}
        {'trend_provider' in trend && trend.trend_provider !== undefined && (
          <span class="tag">{t('status.trendsOn', { name: trend.trend_provider })}</span>
        )}
        {'trendable' in trend && trend.trendable === true && <span class="tag">{t('trends.allowed')}</span>}
      </div>
      <div class="item-actions">
        <button type="button" class="button quiet" onClick={() => decide('approve')}>
          {t('trends.approve')}
        </button>
        <button type="button" class="button quiet" onClick={() => decide('reject')}>
          {t('trends.reject')}
        </button>
      </div>
    </div>
  );
}

function Summary({ trend }: { readonly trend: Trend }) {
  if ('content' in trend)
    return (
      <>
        <p class="item-title">
          <bdi>@{trend.account.acct}</bdi>
        </p>
        <div
          dir="auto"
          // Sanitized by the server.
          dangerouslySetInnerHTML={{
            __html: prepareHtml(trend.content, { emojis: trend.emojis, mentions: trend.mentions, tags: trend.tags }),
          }}
        />
      </>
    );
  if ('title' in trend)
    return (
      <>
        <p class="item-title">
          <a href={trend.url} target="_blank" rel="noopener" dir="auto">
            {trend.title}
          </a>
        </p>
        <p class="small soft">{t('trends.people', { count: countPeople(trend.history) })}</p>
      </>
    );
  if ('domain' in trend) return <p class="item-title">{trend.domain}</p>;
  return (
    <>
      <p class="item-title">
        <a href={`/tags/${trend.name}`}>#{trend.name}</a>
      </p>
      <p class="small soft">{t('trends.people', { count: countPeople(trend.history) })}</p>
    </>
  );
}

const countPeople = (history: readonly { readonly accounts: string }[]): number =>
  history.slice(0, 2).reduce((sum, { accounts }) => sum + Number(accounts), 0);
