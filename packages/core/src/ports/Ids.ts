import { Context } from "effect"
import type { Instant } from "../Instant.js"

/** Makes identifiers: UUIDv7, so that rows made together lie together in an index. */
export interface Ids {
  /** A new id that sorts after every id this process made at an earlier `now`. */
  readonly next: (now: Instant) => string
  /** Text of `length` characters of `[0-9A-Za-z]` that nobody can guess: for keys and secrets. */
  readonly secret: (length: number) => string
}

export const Ids = Context.GenericTag<Ids>("@parley/core/Ids")
