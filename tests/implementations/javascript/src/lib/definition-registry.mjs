/** A registry of definitions by key. The base of every registry of the product. */
export class DefinitionRegistry {
  #definitions = new Map();

  /** Registers a definition; one that has the key already is replaced. */
  register(key, definition) {
    this.#definitions.set(key, definition);
  }

  get(key) {
    return this.#definitions.get(key);
  }

  has(key) {
    return this.#definitions.has(key);
  }

  getAll() {
    return [...this.#definitions.values()];
  }
}
