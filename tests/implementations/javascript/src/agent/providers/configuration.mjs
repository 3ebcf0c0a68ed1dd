/** The configuration of the provider, from the environment of the server. */

export class ConfigurationError extends Error {
  /** @param {string} variable the variable that is missing or wrong */
  constructor(message, variable) {
    super(message);
    this.name = "ConfigurationError";
    this.variable = variable;
  }
}

/**
 * @param {Record<string, string | undefined>} environment an empty value is a missing one
 * @returns {{provider: string, model: string, apiKey: string, baseUrl?: string}}
 */
export function readConfiguration(environment) {
  const required = (name) => {
    if (!environment[name]) throw new ConfigurationError(`${name} is not set.`, name);
    return environment[name];
  };
  return {
    provider: required("LLM_PROVIDER"),
    model: required("LLM_MODEL"),
    apiKey: required("LLM_API_KEY"),
    baseUrl: environment.LLM_BASE_URL || undefined,
  };
}
