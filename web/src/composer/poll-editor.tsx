import plus from '@phosphor-icons/core/regular/plus.svg?raw';
import x from '@phosphor-icons/core/regular/x.svg?raw';
import { useId } from 'preact/hooks';
import { t, locale } from '../i18n/translate.tsx';
import { instance } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { limitInput } from '../ui/limit-input.ts';
import type { ComposedPoll } from './composed.ts';
import { deletesVotes, durationOf, mayKeepEnd, usualDuration } from './posted-poll.ts';
import '../ui/choices.css';

interface PollEditorProps {
  readonly poll: ComposedPoll;
  readonly onChange: (poll: ComposedPoll | undefined) => void;
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const durations = [300, 1_800, 3_600, 21_600, 43_200, 86_400, 259_200, 604_800, 2_592_000];

/** Returns a duration in words: "3 days". */
function formatDuration(seconds: number): string {
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? units[2];
  const format = new Intl.NumberFormat(locale.value, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.round(seconds / length));
}

/** The options of a poll, its kind and its duration. */
export function PollEditor({ poll, onChange }: PollEditorProps) {
  const limits = instance.value?.configuration.polls;
  const ids = { duration: useId(), kind: useId() };
  const { options, isMultiple, hidesTotals } = poll;
  const duration = durationOf(poll);
  const setOptions = (changed: readonly string[]): void => onChange({ ...poll, options: changed });
  const shownDurations = [...new Set([...durations, duration ?? usualDuration])]
    .filter((one) => one >= (limits?.min_expiration ?? 300) && one <= (limits?.max_expiration ?? 2_592_000))
    .toSorted((one, other) => one - other);
  return (
    <fieldset class="poll-editor">
      <legend>{t('composer.poll')}</legend>
      {options.map((option, index) => (
        <PollOption
          key={index}
          text={option}
          number={index + 1}
          isRemovable={options.length > 2}
          onChange={(text) => setOptions(options.with(index, text))}
          onRemove={() => setOptions(options.toSpliced(index, 1))}
        />
      ))}
      <div class="poll-settings">
        <button
          type="button"
          class="button quiet"
          disabled={options.length >= (limits?.max_options ?? 4)}
          onClick={() => setOptions([...options, ''])}
        >
          <Icon svg={plus} />
          {t('composer.addPollOption')}
        </button>
        <label for={ids.duration} class="visually-hidden">
          {t('composer.pollDuration')}
        </label>
        <select
          id={ids.duration}
          value={duration ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...poll, duration: value === '' ? undefined : Number(value) })
          }
        >
          {mayKeepEnd(poll) && <option value="">{t('composer.pollKeepsEnd')}</option>}
          {shownDurations.map((seconds) => (
            <option key={seconds} value={seconds}>
              {formatDuration(seconds)}
            </option>
          ))}
        </select>
        <label for={ids.kind} class="visually-hidden">
          {t('composer.pollKind')}
        </label>
        <select
          id={ids.kind}
          value={isMultiple ? 'multiple' : 'single'}
          onChange={(event) => onChange({ ...poll, isMultiple: event.currentTarget.value === 'multiple' })}
        >
          <option value="single">{t('composer.pollSingle')}</option>
          <option value="multiple">{t('composer.pollMultiple')}</option>
        </select>
      </div>
      <label class="choice">
        <input
          type="checkbox"
          checked={hidesTotals ?? false}
          onChange={(event) => onChange({ ...poll, hidesTotals: event.currentTarget.checked })}
        />
        <span>{t('composer.pollHideTotals')}</span>
      </label>
      {deletesVotes(poll) && (
        <p class="soft" role="status">
          {t('composer.pollDeletesVotes')}
        </p>
      )}
    </fieldset>
  );
}

interface PollOptionProps {
  readonly text: string;
  readonly number: number;
  readonly isRemovable: boolean;
  readonly onChange: (text: string) => void;
  readonly onRemove: () => void;
}

function PollOption({ text, number, isRemovable, onChange, onRemove }: PollOptionProps) {
  const maxCharacters = instance.value?.configuration.polls.max_characters_per_option ?? 50;
  return (
    <div class="poll-option">
      <input
        type="text"
        dir="auto"
        aria-label={t('composer.pollOption', { number })}
        placeholder={t('composer.pollOption', { number })}
        value={text}
        onInput={limitInput(maxCharacters, onChange)}
      />
      <button
        type="button"
        class="icon-button"
        aria-label={t('composer.removePollOption', { number })}
        disabled={!isRemovable}
        onClick={onRemove}
      >
        <Icon svg={x} />
      </button>
    </div>
  );
}
