import { signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark' | 'contrast';

/** A column of the desktop: the key of a timeline (timeline/sources.ts), or a page. */
export interface Column {
  readonly id: string;
  readonly source: string;
  readonly isPinned: boolean;
  /** The name of a list or an account when the column was added. */
  readonly label?: string;
  /** Absent: normal. */
  readonly width?: 'narrow' | 'normal' | 'wide';
}

/** What the client stores on the server for its user. */
export interface Settings {
  readonly appearance: {
    readonly theme: Theme;
    readonly textSize: 'small' | 'normal' | 'large' | 'huge';
    readonly density: 'compact' | 'normal' | 'airy';
    readonly motion: 'auto' | 'reduced';
    readonly useColumns: boolean;
  };
  readonly columns: readonly Column[];
  readonly composer: {
    /** Asks before media is posted without a description. */
    readonly remindOfAltText: boolean;
    /** Sends posts without the time to undo them. */
    readonly sendsAtOnce: boolean;
  };
  readonly reading: {
    readonly expandWarnings: boolean;
    readonly media: 'default' | 'show' | 'hide';
    readonly autoplay: boolean;
  };
  /** The keys of timelines (timeline/sources.ts) that show pictures instead of posts. */
  readonly mediaTimelines: readonly string[];
  /** Whether the tour of newcomers was shown. */
  readonly hasSeenTour: boolean;
}

export const defaultSettings: Settings = {
  appearance: { theme: 'auto', textSize: 'normal', density: 'normal', motion: 'auto', useColumns: false },
  columns: [],
  composer: { remindOfAltText: true, sendsAtOnce: false },
  reading: { expandWarnings: false, media: 'default', autoplay: false },
  mediaTimelines: [],
  hasSeenTour: false,
};

/** What the user of the account stored on the server for this client, with changes that are being sent. */
export const settings = signal<Settings>(defaultSettings);

/** The settings as the server has them, with their version. */
export interface StoredSettings {
  readonly settings: Settings;
  /** Undefined: of an old response, from the time without a connection. */
  readonly version: number | undefined;
}

/** What the server is known to have. */
export const storedSettings = signal<StoredSettings>({ settings: defaultSettings, version: undefined });

/** Shows the theme, text size, density and motion of the settings. */
export function applyAppearance({ appearance }: Settings): void {
  const { dataset } = document.documentElement;
  dataset['theme'] = appearance.theme;
  dataset['textSize'] = appearance.textSize;
  dataset['density'] = appearance.density;
  dataset['motion'] = appearance.motion;
  localStorage.setItem(appearanceKey, JSON.stringify(appearance));
}

const appearanceKey = 'appearance';

/** Shows the appearance that was shown last on this device. For the time until the settings are loaded, or without a connection. */
export function applyLastAppearance(): void {
  const stored = localStorage.getItem(appearanceKey);
  if (stored === null) return;
  applyAppearance({ ...defaultSettings, appearance: { ...defaultSettings.appearance, ...JSON.parse(stored) } });
}

/**
 * Returns stored settings with the defaults of those that an older client did not store. Those of a newer client stay, because
 * all settings are stored together.
 */
export function withDefaults(stored: Partial<Settings>): Settings {
  return {
    ...defaultSettings,
    ...stored,
    appearance: { ...defaultSettings.appearance, ...stored.appearance },
    composer: { ...defaultSettings.composer, ...stored.composer },
    reading: { ...defaultSettings.reading, ...stored.reading },
  };
}
