export const programGroups: readonly (readonly string[])[];
