import check from '@phosphor-icons/core/regular/check.svg?raw';
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { Poll as PollEntity, Translation } from '../api/entities.ts';
import { locale, t, tx } from '../i18n/translate.tsx';
import { changeStatus } from '../store/statuses.ts';
import { EmojiText } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { showError } from '../ui/toasts.tsx';
import { shareOf } from './poll-shares.ts';
import { useSingleRun } from '../ui/use-single-run.ts';
import './poll.css';

interface PollProps {
  readonly statusId: string;
  readonly poll: PollEntity;
  readonly translation?: NonNullable<Translation['poll']> | undefined;
}

/** When the results are loaded after the end: the clock of the server may be a little behind. */
const resultsAfterMs = 1_000;
/** Spreads the requests of all who see the poll. */
const jitterMs = 4_000;
/** Browsers start longer timers at once. */
const maxDelayMs = 2 ** 31 - 1;

/** A poll: its form until it ends, or until the reader votes or wants to see the results. */
export function Poll({ statusId, poll, translation }: PollProps) {
  const wantsResults = useSignal(false);
  const isOpen = !poll.expired && poll.voted !== true;
  const titles = poll.options.map(({ title }, index) => translation?.options[index]?.title ?? title);
  const showResults = !isOpen || wantsResults.value;
  const read = (): Promise<PollEntity> => request<PollEntity>('GET', `/api/v1/polls/${poll.id}`);
  const show = (changed: PollEntity): void => changeStatus(statusId, () => ({ poll: changed }));
  const load = async (update: () => Promise<PollEntity>): Promise<void> => {
    try {
      show(await update());
    } catch (error) {
      showError(error, () => void load(update));
    }
  };
  useEffect(() => {
    if (poll.expired || poll.expires_at === null) return undefined;
    const delay = Date.parse(poll.expires_at) + resultsAfterMs + Math.random() * jitterMs - Date.now();
    if (delay < 0 || delay > maxDelayMs) return undefined;
    // Without a connection, the form and its errors remain.
    const timer = setTimeout(() => void read().then(show, () => undefined), delay);
    return () => clearTimeout(timer);
  }, [poll.id, poll.expires_at, poll.expired]);
  const vote = (choices: readonly number[]): Promise<void> =>
    load(() => request<PollEntity>('POST', `/api/v1/polls/${poll.id}/votes`, { body: { choices } }));
  return (
    <div class="poll">
      {showResults ? <Results poll={poll} titles={titles} /> : <Form poll={poll} titles={titles} onVote={vote} />}
      <p class="poll-footer soft small">
        {isOpen && (
          <button type="button" class="link" onClick={() => (wantsResults.value = !wantsResults.value)}>
            {wantsResults.value ? t('poll.backToVote') : t('poll.seeResults')}
          </button>
        )}
        {showResults && !poll.expired && (
          <button type="button" class="link" onClick={() => void load(read)}>
            {t('poll.refresh')}
          </button>
        )}
        <span>
          {poll.voters_count === null
            ? t('poll.votes', { count: poll.votes_count })
            : t('poll.voters', { count: poll.voters_count })}
        </span>
        {poll.expired ? (
          <span>{t('poll.closed')}</span>
        ) : (
          poll.expires_at !== null && <span>{tx('poll.ends', { time: <RelativeTime time={poll.expires_at} /> })}</span>
        )}
      </p>
    </div>
  );
}

interface FormProps {
  readonly poll: PollEntity;
  readonly titles: readonly string[];
  readonly onVote: (choices: readonly number[]) => Promise<void>;
}

function Form({ poll, titles, onVote }: FormProps) {
  const name = useId();
  const chosen = useSignal<readonly number[]>([]);
  const [send, isSending] = useSingleRun(onVote);
  const choose = (index: number, isChosen: boolean): void => {
    if (!poll.multiple) chosen.value = [index];
    else if (isChosen) chosen.value = [...chosen.value, index];
    else chosen.value = chosen.value.filter((one) => one !== index);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send(chosen.value);
      }}
    >
      <fieldset>
        <legend class="visually-hidden">{poll.multiple ? t('poll.chooseSeveral') : t('poll.chooseOne')}</legend>
        {titles.map((title, index) => (
          <label key={index} class="poll-choice">
            <input
              type={poll.multiple ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen.value.includes(index)}
              onChange={(event) => choose(index, event.currentTarget.checked)}
            />
            <span dir="auto">
              <EmojiText text={title} emojis={poll.emojis} />
            </span>
          </label>
        ))}
      </fieldset>
      <button type="submit" class="button" disabled={chosen.value.length === 0 || isSending}>
        {t('poll.vote')}
      </button>
    </form>
  );
}

function Results({ poll, titles }: { readonly poll: PollEntity; readonly titles: readonly string[] }) {
  const percent = new Intl.NumberFormat(locale.value, { style: 'percent', maximumFractionDigits: 0 });
  const most = Math.max(...poll.options.map(({ votes_count: votes }) => votes ?? 0));
  return (
    <ul class="poll-results">
      {poll.options.map(({ votes_count: votes }, index) => {
        const share = shareOf(poll, index);
        const isOwn = poll.own_votes?.includes(index) === true;
        return (
          <li key={index} class={votes === most && most > 0 ? 'leading' : ''}>
            <span class="poll-share">{share === undefined ? '–' : percent.format(share)}</span>
            <span class="poll-title" dir="auto">
              <EmojiText text={titles[index] ?? ''} emojis={poll.emojis} />{' '}
              {isOwn && <Icon svg={check} label={t('poll.ownVote')} />}
            </span>
            <span class="poll-bar" style={{ inlineSize: `${(share ?? 0) * 100}%` }} />
          </li>
        );
      })}
    </ul>
  );
}
