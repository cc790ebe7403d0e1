import type { Account, Status } from '../../api/entities.ts';
import { withQuery } from '../../api/client.ts';
import { t } from '../../i18n/translate.tsx';
import { statusOf } from '../../store/statuses.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { usePages } from '../../store/pages.ts';
import { PagedList } from '../../ui/paged-list.tsx';
import { plainText } from '../plain-text.ts';
import type { ReportDraft } from './report-draft.ts';

interface ReportPostsProps {
  readonly account: Account;
  readonly draft: ReportDraft;
  readonly change: (changes: Partial<ReportDraft>) => void;
}

/** Asks which posts of the account belong to the report. Those chosen at the start come first. */
export function ReportPosts({ account, draft, change }: ReportPostsProps) {
  const list = usePages<Status>(withQuery(`/api/v1/accounts/${account.id}/statuses`, { exclude_reblogs: true }));
  const chosen = draft.statusIds.flatMap((id) => statusOf(id).value ?? []);
  const known = new Set(list.items.value.map(({ id }) => id));
  const others = chosen.filter(({ id }) => !known.has(id));
  const toggle = (id: string): void =>
    change({
      statusIds: draft.statusIds.includes(id) ? draft.statusIds.filter((one) => one !== id) : [...draft.statusIds, id],
    });
  const render = (status: Status) => (
    <label class="choice">
      <input type="checkbox" checked={draft.statusIds.includes(status.id)} onChange={() => toggle(status.id)} />
      <span dir="auto">
        {describePost(status)}
        <small>
          <RelativeTime time={status.created_at} />
        </small>
      </span>
    </label>
  );
  return (
    <fieldset class="plain">
      <legend class="choices-legend">{t('report.whichPosts')}</legend>
      <p class="soft small">{t('report.whichPostsHint')}</p>
      <div class="choices scrolling">
        {others.map((status) => (
          <div key={status.id}>{render(status)}</div>
        ))}
        <PagedList
          hasLines
          pages={list}
          label={t('report.whichPosts')}
          empty={others.length === 0 && <p class="soft">{t('report.noPosts')}</p>}
          keyOf={({ id }) => id}
          render={render}
        />
      </div>
    </fieldset>
  );
}

function describePost({ spoiler_text: warning, content, media_attachments: media }: Status): string {
  const text = [warning, plainText(content)].filter((one) => one !== '').join(' · ');
  return text === '' ? t('report.mediaOnly', { count: media.length }) : text;
}
