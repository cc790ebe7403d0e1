import magnifier from '@phosphor-icons/core/regular/magnifying-glass.svg?raw';
import { useSignal } from '@preact/signals';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { openPath } from '../navigate.ts';
import { Icon } from '../ui/icon.tsx';
import { SuggestionFinder } from './find-suggestions.ts';
import { forgetSearches, recentSearches, rememberSearch } from './recent-searches.ts';
import { SearchOption } from './search-option.tsx';
import { listOptions, type Command, type Option } from './search-options.ts';
import './search-box.css';

interface SearchBoxProps {
  /** The text of the search that is shown. */
  readonly text?: string;
  /** Whether it has the focus at first. */
  readonly hasFocus?: boolean;
  /** Its name; by default "Search". */
  readonly label?: string;
  /** What may be typed, while it is empty; by default its name. */
  readonly placeholder?: string;
  /** Pages and actions that it finds besides. */
  readonly commands?: readonly Command[];
}

const noCommands: readonly Command[] = [];

/** The search field: it suggests people, hashtags, operators and recent searches while one types. */
export function SearchBox({
  text = '',
  hasFocus = false,
  label = t('search.label'),
  placeholder = label,
  commands = noCommands,
}: SearchBoxProps) {
  const typed = useSignal(text);
  const isOpen = useSignal(false);
  // In the palette, Enter chooses the first option.
  const firstActive = commands.length > 0 ? 0 : -1;
  const active = useSignal(firstActive);
  const finder = useMemo(() => new SuggestionFinder(), []);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  useEffect(() => {
    typed.value = text;
  }, [text]);
  useEffect(() => {
    if (hasFocus) input.current?.focus();
  }, []);
  const options = listOptions(typed.value, { commands, recent: recentSearches(), ...finder.found.value });
  const type = (value: string): void => {
    typed.value = value;
    active.value = firstActive;
    isOpen.value = true;
    finder.find(value);
  };
  const search = (wanted: string): void => {
    const q = wanted.trim();
    if (q === '') return;
    rememberSearch(q);
    isOpen.value = false;
    input.current?.blur();
    openPath(`/search?q=${encodeURIComponent(q)}`);
  };
  const choose = (option: Option): void => {
    if (option.kind === 'operator') {
      type(option.completion.text);
      input.current?.focus();
    } else if (option.kind === 'search' || option.kind === 'recent') search(option.text);
    else {
      isOpen.value = false;
      const target = option.kind === 'command' ? option.command.target : option.path;
      if (typeof target === 'string') openPath(target);
      else target();
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') isOpen.value = false;
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    isOpen.value = true;
    const step = event.key === 'ArrowDown' ? 1 : -1;
    active.value = ((active.value + step + 1 + options.length + 1) % (options.length + 1)) - 1;
  };
  const isExpanded = isOpen.value && options.length > 0;
  const activeOption = options[active.value];
  return (
    <search class="search-box">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isExpanded && activeOption !== undefined) choose(activeOption);
          else search(typed.value);
        }}
      >
        <Icon svg={magnifier} />
        <input
          ref={input}
          type="text"
          // For dialogs, which focus their first button otherwise.
          autofocus={hasFocus}
          enterkeyhint="search"
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={isExpanded}
          aria-controls={listId}
          aria-activedescendant={isExpanded && activeOption !== undefined ? `${listId}-${active.value}` : undefined}
          placeholder={placeholder}
          autocomplete="off"
          value={typed.value}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onFocus={() => (isOpen.value = true)}
          onBlur={() => (isOpen.value = false)}
          onKeyDown={onKeyDown}
        />
      </form>
      <div class="search-options" hidden={!isExpanded}>
        <Suggestions id={listId} options={options} active={active.value} onChoose={choose} />
        {typed.value === '' && recentSearches().length > 0 && <ForgetSearches />}
      </div>
    </search>
  );
}

interface SuggestionsProps {
  readonly id: string;
  readonly options: readonly Option[];
  /** The index of the option that Enter chooses; -1 for none. */
  readonly active: number;
  readonly onChoose: (option: Option) => void;
}

function Suggestions({ id, options, active, onChoose }: SuggestionsProps) {
  return (
    <div id={id} role="listbox" tabIndex={-1} aria-label={t('search.suggestions')}>
      {options.map((option, index) => (
        <SearchOption
          key={option.key}
          option={option}
          id={`${id}-${index}`}
          isActive={index === active}
          onChoose={() => onChoose(option)}
        />
      ))}
    </div>
  );
}

function ForgetSearches() {
  return (
    <button type="button" class="link small" onMouseDown={(event) => event.preventDefault()} onClick={forgetSearches}>
      {t('search.forget')}
    </button>
  );
}
