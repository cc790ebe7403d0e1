export function writeBundle(options: {
  readonly root: string;
  readonly folder: string;
  readonly installed: string;
  readonly groups: readonly (readonly string[])[];
}): Promise<void>;
