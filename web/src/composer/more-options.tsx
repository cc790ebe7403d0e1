import sliders from '@phosphor-icons/core/regular/sliders-horizontal.svg?raw';
import { useId, useState } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { instance } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { Choices } from './choices.tsx';
import type { ContentType, ReplyPolicy } from './composed.ts';
import type { Composition } from './composition.ts';
import { Popover } from './popover.tsx';

/** Options that few posts need: when it is published, who may reply, its format. */
export function MoreOptions({ composition }: { readonly composition: Composition }) {
  const { editedId, replyPolicy, contentType, visibility } = composition.content.value;
  const types = instance.value?.configuration.statuses.supported_mime_types ?? [];
  return (
    <Popover label={t('composer.moreOptions')} button={<Icon svg={sliders} />}>
      {() => (
        <>
          {editedId === undefined && <ScheduleField composition={composition} />}
          {editedId === undefined && (
            <Choices<ReplyPolicy>
              legend={t('composer.whoReplies')}
              chosen={replyPolicy}
              disabledBecause={visibility === 'direct' ? t('composer.repliesDirect') : undefined}
              onChoose={(value) => composition.change({ replyPolicy: value })}
              choices={[
                { value: 'default', label: t('composer.repliesDefault') },
                { value: 'public', label: t('composer.everyone') },
                { value: 'followers', label: t('composer.repliesFollowers') },
                { value: 'following', label: t('composer.repliesFollowing') },
                { value: 'mentioned', label: t('composer.repliesMentioned') },
              ]}
            />
          )}
          {types.includes('text/markdown') && (
            <Choices<ContentType>
              legend={t('composer.format')}
              chosen={contentType}
              onChoose={(value) => composition.change({ contentType: value })}
              choices={[
                { value: 'text/plain', label: t('composer.plainText') },
                { value: 'text/markdown', label: t('composer.markdown'), hint: t('composer.markdownHint') },
              ]}
            />
          )}
        </>
      )}
    </Popover>
  );
}

const minMinutesAhead = 6;

function ScheduleField({ composition }: { readonly composition: Composition }) {
  const id = useId();
  const [openedAt] = useState(() => Date.now());
  const { scheduledAt, posts } = composition.content.value;
  const isThread = posts.length > 1;
  return (
    <div class="field">
      <label for={id}>{t('composer.schedule')}</label>
      <input
        id={id}
        type="datetime-local"
        min={toLocalTime(new Date(openedAt + minMinutesAhead * 60_000))}
        value={scheduledAt}
        disabled={isThread}
        onInput={(event) => composition.change({ scheduledAt: event.currentTarget.value })}
      />
      <span class="hint">{isThread ? t('composer.scheduleThread') : t('composer.scheduleHint')}</span>
    </div>
  );
}

/** Returns a time as a `datetime-local` field has it. */
export function toLocalTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
