import type { Refusal } from "@parley/core"
import type { Either } from "effect"
import type { Admission } from "./Admission.js"
import { type RenderRefusal, renderRefusal } from "./HttpOutcome.js"
import type { Incoming } from "./Incoming.js"
import { bodyLimit, type JsonObject, jsonBody } from "./jsonBody.js"

/** How endpoints are served beyond their contract: authentication, body format and error format. */
export interface EndpointPolicy<Caller> {
  readonly admission: Admission<Caller>
  /** Maximum size of a body in bytes. */
  readonly bodyLimit: number
  /** Parses a body. Fails with `bad_request`. */
  readonly readBody: (bytes: Uint8Array, incoming: Incoming) => Either.Either<JsonObject, Refusal>
  readonly refused: RenderRefusal
  /**
   * The credential in the body, if callers authenticate there instead of by bearer token; null if it is absent. Limits
   * failed attempts.
   */
  readonly bodyCredential?: (body: JsonObject) => string | null
}

/** JSON bodies and the error envelope (docs/reference/requests.md#body-syntax). */
export const jsonPolicy = <Caller>(admission: Admission<Caller>): EndpointPolicy<Caller> => ({
  admission,
  bodyLimit,
  readBody: jsonBody,
  refused: renderRefusal
})
