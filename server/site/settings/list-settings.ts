import type { App } from '../../platform/app.ts';
import {
  defaultSettings,
  htmlSettings,
  settingParameters,
  settingSchemas,
  type SettingName,
  type StoredSettings,
} from '../settings-schema.ts';
import { siteSettings } from '../site-settings.ts';
import type { Setting } from './schema.ts';
import { namesOf } from '../../platform/known-names.ts';

/** The parts of a schema that describe its values. */
interface ValueSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maximum?: number;
}

/** Lists all settings with their types, defaults and current values. */
export async function listSettings(app: App): Promise<Setting[]> {
  const current = await siteSettings(app);
  const defaults = defaultSettings(app.config);
  return namesOf(settingSchemas).map((name) => presentSetting(name, { current, defaults }));
}

function presentSetting(
  name: SettingName,
  { current, defaults }: Readonly<Record<'current' | 'defaults', StoredSettings>>,
): Setting {
  const schema: ValueSchema = settingSchemas[name];
  return {
    name: settingParameters[name],
    type: typeOf(name, schema),
    choices: schema.enum === undefined ? null : [...schema.enum],
    max_length: schema.maxLength ?? schema.maxItems ?? null,
    max: schema.maximum ?? null,
    default: toValue(defaults[name]),
    value: toValue(current[name]),
  };
}

function typeOf(name: SettingName, { type, enum: choices }: ValueSchema): Setting['type'] {
  if (choices !== undefined) return 'choice';
  if (type === 'boolean') return 'boolean';
  if (type === 'array') return 'list';
  if (type === 'integer') return 'number';
  if (name === 'customCss') return 'css';
  return htmlSettings.has(name) ? 'html' : 'text';
}

const toValue = (value: StoredSettings[SettingName]): Setting['value'] =>
  typeof value === 'object' ? [...value] : value;
