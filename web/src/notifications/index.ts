// Notifications in lists, and their settings.
export { NotificationGroups } from './notification-groups.tsx';
export { NotificationList } from './notification-list.ts';
export { PolicySettings } from './policy-settings.tsx';
export { PushSettings } from './push-settings.tsx';
export { ReadMarker } from './read-marker.ts';
