import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';

/** What trends changed: scores were computed, or staff approved or rejected something. */
export const trendsChanged = defineEvent('trend.changed', Type.Object({}));
