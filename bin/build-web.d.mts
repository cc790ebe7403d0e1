/** Builds the web client if its sources changed. Returns false if that failed. */
export function ensureWebClient(): Promise<boolean>;

/** A chunk in the manifest of a build. */
export interface ManifestChunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** Returns the chunks of a manifest that home loads: the entry, what it imports, and the English texts of every page. */
export function findHomeChunks(manifest: Readonly<Record<string, ManifestChunk>>): readonly ManifestChunk[];
