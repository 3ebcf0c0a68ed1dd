/** A bearer token that one process at a time is given. Only its digest is kept. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

export class BearerToken {
  #digest = null;

  /** A new token; the one before is worth nothing any more. */
  renew() {
    const token = randomBytes(32).toString("base64url");
    this.#digest = digest(token);
    return token;
  }

  /** Nobody has a token any more. */
  revoke() {
    this.#digest = null;
  }

  /** Digests are of one length, so the time that this takes says nothing of either token. */
  matches(candidate) {
    return this.#digest !== null && timingSafeEqual(digest(candidate), this.#digest);
  }
}

function digest(text) {
  return createHash("sha256").update(text).digest();
}
