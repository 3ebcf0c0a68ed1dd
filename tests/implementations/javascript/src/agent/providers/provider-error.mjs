/** What an adapter throws where the provider answered, but gave no answer that can be used. */
export class ProviderError extends Error {
  constructor(message) {
    super(message);
    this.name = "ProviderError";
  }
}
