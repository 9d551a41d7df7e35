import type { Refusal } from "@parley/core"
import type { Either } from "effect"
import type { Admission } from "./Admission.js"
import type { Incoming } from "./Incoming.js"
import { type JsonObject, jsonBody } from "./jsonBody.js"
import { type Refused, refused } from "./Outcome.js"

/** How operations are served, beyond what their contract says: who is let in, how a body is read, what a refusal looks like. */
export interface Manner<Caller> {
  readonly admission: Admission<Caller>
  /** What a body holds, or `bad_request`. */
  readonly readBody: (bytes: Uint8Array, incoming: Incoming) => Either.Either<JsonObject, Refusal>
  readonly refused: Refused
}

/** JSON in, and the error envelope out (spec, General rules). */
export const usual = <Caller>(admission: Admission<Caller>): Manner<Caller> => ({
  admission,
  readBody: jsonBody,
  refused
})
