import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import { t } from '../i18n/translate.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName } from '../ui/display-name.tsx';
import {
  completeWord,
  findCompletableWord,
  loadSuggestions,
  type CompletableWord,
  type Suggestion,
} from './completion.ts';

interface TextFieldProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly language: string;
  /** The id of the element with the number of characters. */
  readonly describedBy: string;
  readonly onChange: (text: string) => void;
  readonly onFocus: () => void;
  /** Called for Ctrl + Enter. */
  readonly onSubmit: () => void;
  readonly onFiles: (files: readonly File[]) => void;
}

interface Completion {
  readonly word: CompletableWord;
  readonly suggestions: readonly Suggestion[];
  readonly active: number;
}

/** The field for the text of a post. It completes handles, hashtags and shortcodes while they are typed. */
export function TextField(props: TextFieldProps) {
  const { field, label, placeholder, text, language, describedBy, onChange, onFocus, onSubmit, onFiles } = props;
  const completion = useSignal<Completion | undefined>(undefined);
  const lookUp = useCompletion(completion);
  const listId = useId();
  const choose = (suggestion: Suggestion): void => {
    const element = field.current;
    const { word } = completion.peek() ?? {};
    if (element === null || word === undefined) return;
    const completed = completeWord(text, { start: word.start, caret: element.selectionStart }, suggestion.text);
    completion.value = undefined;
    onChange(completed.text);
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(completed.caret, completed.caret);
    });
  };
  const shown = completion.value;
  const activeId = shown === undefined ? undefined : `${listId}-${shown.active}`;
  return (
    <div class="text-field">
      <textarea
        ref={field}
        dir="auto"
        rows={3}
        {...(language !== '' && { lang: language })}
        aria-label={label}
        aria-describedby={describedBy}
        aria-autocomplete="list"
        {...(activeId !== undefined && { 'aria-controls': listId, 'aria-activedescendant': activeId })}
        placeholder={placeholder}
        value={text}
        onInput={(event) => {
          const { value, selectionStart } = event.currentTarget;
          onChange(value);
          lookUp(findCompletableWord(value, selectionStart));
        }}
        onFocus={onFocus}
        onBlur={() => lookUp(undefined)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            onSubmit();
          } else moveInCompletion(event, completion, choose);
        }}
        onPaste={(event) => {
          const files = [...(event.clipboardData?.files ?? [])];
          if (files.length === 0 || isFormattedText(event.clipboardData)) return;
          event.preventDefault();
          onFiles(files);
        }}
      />
      <div class="visually-hidden" role="status">
        {shown !== undefined && t('composer.suggestions', { count: shown.suggestions.length })}
      </div>
      {shown !== undefined && (
        <div id={listId} class="completion" role="listbox" aria-label={t('composer.suggestionList')}>
          {shown.suggestions.map((suggestion, index) => (
            // The keys are those of the text field, which keeps the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={suggestion.text}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === shown.active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(suggestion)}
            >
              <SuggestionLine suggestion={suggestion} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** Text of an office program, which adds an image of it. A copied image has no plain text, a copied file no HTML. */
const isFormattedText = (data: DataTransfer | null): boolean =>
  data !== null && data.getData('text/plain') !== '' && data.getData('text/html') !== '';

function SuggestionLine({ suggestion }: { readonly suggestion: Suggestion }) {
  switch (suggestion.kind) {
    case 'account':
      return (
        <>
          <Avatar account={suggestion.account} size={28} />
          <strong class="one-line">
            <DisplayName account={suggestion.account} />
          </strong>
          <span class="one-line soft" dir="ltr">
            {suggestion.text}
          </span>
        </>
      );
    case 'tag':
      return <span>{suggestion.text}</span>;
    case 'emoji':
      return (
        <>
          {suggestion.image === undefined ? (
            <span>{suggestion.text}</span>
          ) : (
            <img class="emoji" src={suggestion.image} alt="" />
          )}
          <span class="soft">{suggestion.name}</span>
        </>
      );
  }
}

const lookUpDelayMs = 150;

/** Returns a function that looks up a word, and forgets the one before. */
function useCompletion(completion: Signal<Completion | undefined>): (word: CompletableWord | undefined) => void {
  const pending = useRef<
    { readonly abort: AbortController; readonly timer: ReturnType<typeof setTimeout> } | undefined
  >(undefined);
  const lookUp = (word: CompletableWord | undefined): void => {
    clearTimeout(pending.current?.timer);
    pending.current?.abort.abort();
    if (word === undefined) {
      completion.value = undefined;
      return;
    }
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      // Without suggestions people type the word themselves.
      const suggestions = await loadSuggestions(word, abort.signal).catch(() => []);
      if (abort.signal.aborted) return;
      completion.value = suggestions.length === 0 ? undefined : { word, suggestions, active: 0 };
    };
    pending.current = { abort, timer: setTimeout(() => void load(), lookUpDelayMs) };
  };
  useEffect(() => () => lookUp(undefined), []);
  return lookUp;
}

function moveInCompletion(
  event: KeyboardEvent,
  completion: Signal<Completion | undefined>,
  choose: (suggestion: Suggestion) => void,
): void {
  const shown = completion.peek();
  if (shown === undefined) return;
  const { suggestions, active } = shown;
  const move = (by: number): void => {
    completion.value = { ...shown, active: (active + by + suggestions.length) % suggestions.length };
  };
  const chosen = suggestions[active];
  if (event.key === 'ArrowDown') move(1);
  else if (event.key === 'ArrowUp') move(-1);
  else if (event.key === 'Escape') {
    completion.value = undefined;
    event.stopPropagation();
  } else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) choose(chosen);
  else return;
  event.preventDefault();
}
