// The programs that tests run if they are installed.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs by their packages. Any of `names` will do, or the program that `setting` names. */
export const testPrograms = [
  {
    package: 'chromium',
    names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
    setting: 'CHROMIUM',
  },
  { package: 'caddy', names: ['caddy'] },
  { package: 'ffmpeg', names: ['ffmpeg'], setting: 'FFMPEG' },
  { package: 'haproxy', names: ['haproxy'] },
  { package: 'nginx', names: ['nginx'] },
  { package: 'openssl', names: ['openssl'] },
  { package: 'prometheus', names: ['promtool'] },
  { package: 'redis-server', names: ['redis-server'] },
  { package: 'systemd', names: ['systemd-analyze'] },
  { package: 'util-linux', names: ['unshare'] },
];

const folders = (process.env.PATH ?? '').split(delimiter);
export const isFound = (name) => folders.some((folder) => existsSync(join(folder, name)));
export const isMissing = ({ names, setting }) =>
  (setting === undefined || process.env[setting] === undefined) && !names.some(isFound);
