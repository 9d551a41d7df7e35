import type { CommitError, Refusal } from "@parley/core"
import type { Effect } from "effect"
import type { Body, Incoming } from "./Incoming.js"
import type { Outcome } from "./Outcome.js"

/**
 * What is answered below a path of its own, beside the operations of a contract: what its requests and answers look like is
 * its own affair. Refusals get the envelope, and all answers the headers that every answer carries.
 */
export interface Annex {
  /** The first segment of its paths; its requests are measured under it. */
  readonly name: string
  readonly answer: (incoming: Incoming, place: Place) => Effect.Effect<Outcome<Body>, Refusal | CommitError>
}

/** Where in an annex a request leads, and where it comes from. */
export interface Place {
  readonly requestId: string
  /** What follows the name in the path: empty, or such as `/42/messages`. */
  readonly path: string
  /** The query string, without its `?`. */
  readonly search: string
  /** The address of the client, which it draws on where nothing else limits it. */
  readonly address: string
}
