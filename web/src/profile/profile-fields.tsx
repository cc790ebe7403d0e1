import check from '@phosphor-icons/core/fill/seal-check-fill.svg?raw';
import type { Account } from '../api/entities.ts';
import { locale, t } from '../i18n/translate.tsx';
import { prepareHtml } from '../ui/prepare-html.ts';
import { EmojiText } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';

/** The fields of a profile. A link whose page links back is marked as verified. */
export function ProfileFields({ account }: { readonly account: Account }) {
  const { fields, emojis } = account;
  if (fields.length === 0) return null;
  return (
    <dl class="profile-fields">
      {fields.map(({ name, value, verified_at: verifiedAt }, index) => (
        <div key={index} class={verifiedAt === null ? '' : 'verified'}>
          <dt dir="auto">
            <EmojiText text={name} emojis={emojis} />
          </dt>
          <dd dir="auto">
            {verifiedAt !== null && (
              <span class="verified-mark" title={describeVerified(verifiedAt)}>
                <Icon svg={check} label={describeVerified(verifiedAt)} />
              </span>
            )}
            {/* Sanitized by the server. */}
            <span dangerouslySetInnerHTML={{ __html: prepareHtml(value, { emojis }) }} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const describeVerified = (time: string): string =>
  t('profile.verified', { date: new Date(time).toLocaleDateString(locale.value, { dateStyle: 'long' }) });
