import { Type, type TObject, type TProperties } from 'typebox';

/** Declares a named API entity, which the OpenAPI document describes once under this name. */
export const entity = <Properties extends TProperties>(name: string, properties: Properties): TObject<Properties> =>
  Type.Object(properties, { title: name });
