/** An observable store. With a name, what `keep` picks from its state survives in localStorage. */
export function createStore(create, { name, keep } = {}) {
  const listeners = new Set();
  const set = (change) => {
    state = { ...state, ...change };
    if (name) localStorage.setItem(name, JSON.stringify(keep(state)));
    for (const listener of listeners) listener(state);
  };
  let state = create(set, () => state);
  const kept = name ? localStorage.getItem(name) : null;
  if (kept) state = { ...state, ...JSON.parse(kept) };
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
