/**
 * The layers above the page: dialogs, menus, panels, the viewer. Each open layer has an entry of its own in the history of
 * the window, above that of the page, so that the back button closes the topmost layer and does not change the page.
 *
 * The state of an entry says how many layers are open there. `settle` makes the history agree with the open layers: a layer
 * that the reader closes otherwise takes its entry along, one that opens in its place takes it over, and an entry without
 * its layer (after Forward or a reload) is left again.
 */
interface Layer {
  /** Asks it to close. It stays open if it asks the reader something first. */
  readonly close: () => void;
}

const layers: Layer[] = [];
/** Whether the window is on its way to another entry because of `settle`. */
let isMoving = false;
/** Whether the browser leaves the scroll position alone: the page does not move because a layer closes. */
let holdsScroll = false;
let settling: ReturnType<typeof setTimeout> | undefined;
let afterLayers: (() => void) | undefined;

/** Makes the back button close layers. Leaves the entries of layers that a reload closed. */
export function startLayers(): void {
  addEventListener('popstate', onPopState);
  addEventListener('pageshow', (event) => {
    if (!(event instanceof PageTransitionEvent) || !event.persisted) return;
    isMoving = false;
    settleSoon();
  });
  if (openedAt() === 0) return;
  // The browser scrolls the page where it was.
  history.scrollRestoration = 'auto';
  holdsScroll = true;
  settleSoon();
}

/** Adds a layer on top. `close` is called when the reader goes back. Returns the function that removes it. */
export function addLayer(close: () => void): () => void {
  const layer = { close };
  layers.push(layer);
  markPage();
  addEntries();
  return () => {
    const index = layers.indexOf(layer);
    if (index < 0) return;
    layers.splice(index, 1);
    markPage();
    settleSoon();
  };
}

/** Whether a layer is open. */
export const hasLayers = (): boolean => layers.length > 0;

/** Whether `leaveLayers` has something to do: layers are open, or entries of closed ones are still there. */
export const mustLeaveLayers = (): boolean => hasLayers() || isMoving || openedAt() > 0;

/** Closes all layers, and calls a function in the entry of the page; not if a layer stays open. */
export function leaveLayers(then: () => void): void {
  if (!mustLeaveLayers()) {
    then();
    return;
  }
  afterLayers = then;
  closeFrom(0);
  settleSoon();
}

function onPopState(): void {
  if (isMoving) isMoving = false;
  else closeFrom(openedAt());
  settleSoon();
}

function closeFrom(count: number): void {
  for (const { close } of layers.slice(count).toReversed()) close();
}

/** Settles after the layers that the same action closes and opens. */
function settleSoon(): void {
  settling ??= setTimeout(settle);
}

function settle(): void {
  settling = undefined;
  if (isMoving) return;
  const superfluous = openedAt() - layers.length;
  if (superfluous > 0) {
    isMoving = true;
    history.go(-superfluous);
    return;
  }
  addEntries();
  const then = afterLayers;
  afterLayers = undefined;
  if (hasLayers()) return;
  if (holdsScroll) history.scrollRestoration = 'auto';
  holdsScroll = false;
  then?.();
}

function addEntries(): void {
  if (isMoving) return;
  for (let count = openedAt() + 1; count <= layers.length; count += 1) {
    // The entry of the page, and those that follow.
    history.scrollRestoration = 'manual';
    holdsScroll = true;
    history.pushState({ layers: count }, '');
  }
}

/** The page does not scroll below a layer: base.css. */
function markPage(): void {
  document.documentElement.toggleAttribute('data-layered', hasLayers());
}

/** How many layers were opened in the current entry of the history. */
function openedAt(): number {
  const state: unknown = history.state;
  const isLayer = typeof state === 'object' && state !== null && 'layers' in state && typeof state.layers === 'number';
  return isLayer ? Number(state.layers) : 0;
}
