/** What a plugin cannot import from its own place, it imports from the driver's: a data directory has no packages. */
let driver;

export function initialize(data) {
  ({ driver } = data);
}

export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    const bare = !/^([./]|[a-z]+:)/i.test(specifier);
    if (error.code !== "ERR_MODULE_NOT_FOUND" || !bare) throw error;
    return next(specifier, { ...context, parentURL: driver });
  }
}
