import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';

/** A provider was confirmed or deleted, or one of its capabilities enabled or disabled. */
export const providersChanged = defineEvent('service_provider.changed', Type.Object({}));
