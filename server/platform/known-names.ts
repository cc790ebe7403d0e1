/** Returns the names of an object whose type lists all of them. */
export const namesOf = <Name extends string>(object: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(object) as Name[];

/** Returns whether a text is a name of an object. Inherited names such as `toString` are none. */
export const isNameOf = <Name extends string>(
  object: Readonly<Partial<Record<Name, unknown>>>,
  text: string,
): text is Name => Object.hasOwn(object, text);

/** Returns whether a text is one of these values. */
export const isOneOf = <Value extends string>(values: readonly Value[], text: string): text is Value =>
  values.some((value) => value === text);
