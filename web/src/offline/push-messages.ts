/** The message of a web push, decrypted (WebPushPayload of the API). */
interface PushPayload {
  readonly notification_id: string;
  readonly notification_type: string;
  readonly title: string;
  readonly body: string;
  readonly icon: string;
  readonly preferred_locale: string;
}

/** What the service worker shows. `tag` makes a repeated message replace the first. */
export interface ShownPush {
  readonly title: string;
  readonly options: NotificationOptions & { readonly data: { readonly path: string } };
}

/**
 * Returns the notification for a push message. A message that cannot be read still returns one, because browsers demand
 * a notification for each push.
 */
export function toShownPush(text: string, fallbackTitle: string): ShownPush {
  const payload = parsePayload(text);
  if (payload === undefined)
    return { title: fallbackTitle, options: { icon: appIcon, data: { path: '/notifications' } } };
  const { notification_id: id, notification_type: type, title, body, icon, preferred_locale: lang } = payload;
  return {
    title,
    options: {
      body,
      lang,
      dir: 'auto',
      icon: icon === '' ? appIcon : icon,
      badge: appIcon,
      tag: id === '' ? type : id,
      data: { path: id === '' ? '/notifications' : `/notifications?open=${encodeURIComponent(id)}` },
    },
  };
}

const appIcon = '/icon-192.png';

/** Returns the path of a notification that was clicked. */
export function clickedPath(data: unknown): string {
  if (typeof data !== 'object' || data === null || !('path' in data)) return '/notifications';
  const { path } = data;
  return typeof path === 'string' && /^\/(?!\/)/.test(path) ? path : '/notifications';
}

function parsePayload(text: string): PushPayload | undefined {
  let parsed: unknown;
  try {
    // The id is a number with more digits than numbers have in JavaScript.
    parsed = JSON.parse(text.replace(/("notification_id":\s*)(\d+)/, '$1"$2"'));
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const fields = parsed as Record<string, unknown>;
  const textOf = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const title = textOf('title');
  if (title === '') return undefined;
  return {
    notification_id: textOf('notification_id'),
    notification_type: textOf('notification_type'),
    title,
    body: textOf('body'),
    icon: textOf('icon'),
    preferred_locale: textOf('preferred_locale'),
  };
}
