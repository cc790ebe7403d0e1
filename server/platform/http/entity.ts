import { Type, type TObject, type TProperties } from 'typebox';

/** Schema of an object of the interface that has a name: the OpenAPI document describes it once, under this name. */
export const entity = <Properties extends TProperties>(name: string, properties: Properties): TObject<Properties> =>
  Type.Object(properties, { title: name });
