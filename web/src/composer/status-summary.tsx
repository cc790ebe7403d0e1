import type { Status } from '../api/entities.ts';
import { Avatar } from '../ui/avatar.tsx';
import { NameAndHandle } from '../ui/display-name.tsx';
import { prepareHtml } from '../ui/prepare-html.ts';

/** A post that is replied to or quoted, in a few lines. */
export function StatusSummary({ status, label }: { readonly status: Status; readonly label: string }) {
  const { account, content, spoiler_text: warning, emojis } = status;
  return (
    <section class="status-summary" aria-label={label}>
      <p class="summary-author name-line">
        <Avatar account={account} size={24} />
        <NameAndHandle account={account} />
      </p>
      {warning === '' ? (
        // Sanitized by the server. Its links are not followed from here.
        <div
          class="summary-text"
          dir="auto"
          inert
          dangerouslySetInnerHTML={{ __html: prepareHtml(content, { emojis }) }}
        />
      ) : (
        <p class="summary-text" dir="auto">
          {warning}
        </p>
      )}
    </section>
  );
}
