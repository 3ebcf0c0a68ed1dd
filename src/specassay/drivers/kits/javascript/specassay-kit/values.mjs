/** How the kit looks at the values of an implementation. */

/** What is null was not given: code of the product's own would find no key there. */
export function withoutNulls(params) {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
}

/** The names of an object's methods, inherited ones too; a name that begins with _ is private by convention. */
export function methodsOf(object) {
  const names = new Set();
  for (let holder = object; holder !== null && holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
      if (typeof value === "function" && name !== "constructor" && !name.startsWith("_")) names.add(name);
    }
  }
  return [...names];
}
