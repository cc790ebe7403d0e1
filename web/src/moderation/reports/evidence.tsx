import type { Signal } from '@preact/signals';
import type { AdminReport, FieldfareReportedStatus, Status } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { prepareHtml } from '../../ui/prepare-html.ts';
import { StatusMedia } from '../../status/media/index.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

interface EvidenceProps {
  readonly report: AdminReport;
  /** The posts as they were when they were reported. */
  readonly copies: readonly FieldfareReportedStatus[];
  /** The posts that a decision concerns. */
  readonly chosen: Signal<readonly string[]>;
}

/** The reported posts. Each can be left out of the decision. */
export function Evidence({ report, copies, chosen }: EvidenceProps) {
  const { statuses } = report;
  return (
    <section class="section-box" aria-label={t('reports.reportedPosts')}>
      <h2>{t('reports.reportedPosts')}</h2>
      {statuses.length === 0 && <p class="soft">{t('reports.noReportedPosts')}</p>}
      {statuses.map((status) => (
        <ReportedPost
          key={status.id}
          status={status}
          copy={copies.find((copy) => copy.id === status.id)}
          isChosen={chosen.value.includes(status.id)}
          onToggle={(isChosen) =>
            (chosen.value = isChosen ? [...chosen.value, status.id] : chosen.value.filter((one) => one !== status.id))
          }
        />
      ))}
    </section>
  );
}

interface ReportedPostProps {
  readonly status: Status;
  readonly copy: FieldfareReportedStatus | undefined;
  readonly isChosen: boolean;
  readonly onToggle: (isChosen: boolean) => void;
}

function ReportedPost({ status, copy, isChosen, onToggle }: ReportedPostProps) {
  const { content, emojis, mentions, tags, language, spoiler_text: warning } = status;
  const wasChanged = copy !== undefined && !copy.deleted && copy.content !== content;
  return (
    <article class="evidence">
      <header>
        <label class="check">
          <input type="checkbox" checked={isChosen} onChange={(event) => onToggle(event.currentTarget.checked)} />
          {t('reports.includePost')}
        </label>
        <a class="small" href={`/@${status.account.acct}/${status.id}`}>
          <RelativeTime time={status.created_at} />
        </a>
        {copy?.deleted === true && <span class="tag strong">{t('reports.deletedSince')}</span>}
        {wasChanged && <span class="tag warn">{t('reports.editedSince')}</span>}
        {status.sensitive && <span class="tag">{t('reports.sensitive')}</span>}
      </header>
      {warning !== '' && (
        <p dir="auto">
          <strong>{warning}</strong>
        </p>
      )}
      <div
        class="content"
        dir="auto"
        lang={language ?? undefined}
        // Sanitized by the server.
        dangerouslySetInnerHTML={{ __html: prepareHtml(content, { emojis, mentions, tags }) }}
      />
      {wasChanged && (
        <details>
          <summary>{t('reports.showCopy')}</summary>
          <div class="content" dir="auto" dangerouslySetInnerHTML={{ __html: prepareHtml(copy.content, { emojis }) }} />
        </details>
      )}
      {status.media_attachments.length > 0 && <StatusMedia status={status} />}
    </article>
  );
}
